import type {
  AuthResponse,
  Challenge,
  LoginRequest,
  RegisterRequest,
  SendCodeRequest,
} from '../../contract/schemas/identity.ts'
import { sendCode } from './challenges.ts'
import { changePassword } from './change-password.ts'
import type {
  ChangePasswordRequest,
  EmailChallenge,
  EmailVerified,
  PasswordChanged,
  RecoveryCodeRequest,
  RecoveryEmailRequest,
  RecoveryEmailStanding,
  RecoveryRequest,
  VerifyEmailRequest,
} from './contract.ts'
import type { Authenticated, IdentityDeps, RequestContext, SignedInContext } from './deps.ts'
import type { AccountRow } from './ports.ts'
import { confirmRecovery, replaceRecoveryEmail, sendEmailCode, sendRecoveryCode, verifyEmail } from './recovery.ts'
import { type LoginContext, login, register } from './sign-in.ts'

export interface Identity {
  readonly sendCode: (request: SendCodeRequest, context: RequestContext) => Promise<Challenge>
  readonly register: (request: RegisterRequest, context: RequestContext) => Promise<Authenticated>
  readonly login: (request: LoginRequest, context: LoginContext) => Promise<Authenticated>
  readonly sendRecoveryCode: (request: RecoveryCodeRequest, context: RequestContext) => Promise<Challenge>
  readonly confirmRecovery: (request: RecoveryRequest, context: RequestContext) => Promise<PasswordChanged>
  readonly replaceRecoveryEmail: (
    request: RecoveryEmailRequest,
    context: SignedInContext,
  ) => Promise<RecoveryEmailStanding>
  readonly sendEmailCode: (context: SignedInContext) => Promise<EmailChallenge>
  readonly verifyEmail: (request: VerifyEmailRequest, context: SignedInContext) => Promise<EmailVerified>
  readonly changePassword: (request: ChangePasswordRequest, context: SignedInContext) => Promise<PasswordChanged>
}

export function createIdentity(deps: IdentityDeps): Identity {
  return {
    sendCode: (request, context) => sendCode(deps, request, context),
    register: (request, context) => register(deps, request, context),
    login: (request, context) => login(deps, request, context),
    sendRecoveryCode: (request, context) => sendRecoveryCode(deps, request, context),
    confirmRecovery: (request, context) => confirmRecovery(deps, request, context),
    replaceRecoveryEmail: (request, context) => replaceRecoveryEmail(deps, request, context),
    sendEmailCode: (context) => sendEmailCode(deps, context),
    verifyEmail: (request, context) => verifyEmail(deps, request, context),
    changePassword: (request, context) => changePassword(deps, request, context),
  }
}

export const publicAccount = (account: AccountRow): AuthResponse['account'] => ({
  accountId: account.accountId,
  identitySubject: account.identitySubject,
  phoneMasked: account.phoneMasked,
  recoveryEmailMasked: account.recoveryEmailMasked,
  recoveryEmailState: account.recoveryEmailState,
})
