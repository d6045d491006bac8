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
} from '../contract/console/account-security.ts'
import type {
  AuthResponse,
  Challenge,
  LoginRequest,
  RegisterRequest,
  SendCodeRequest,
} from '../contract/schemas/identity.ts'
import { changePassword } from './change-password.ts'
import type { Authenticated, IdentityDeps, SignedInContext } from './deps.ts'
import { type LoginContext, login } from './login.ts'
import type { AccountRow } from './ports/accounts.ts'
import { confirmRecovery, sendRecoveryCode } from './recover.ts'
import { replaceRecoveryEmail, sendEmailCode, verifyEmail } from './recovery-email.ts'
import { register } from './register.ts'
import { sendCode } from './send-code.ts'
import type { SignedIn } from './sessions.ts'

export interface Identity {
  readonly sendCode: (request: SendCodeRequest) => Promise<Challenge>
  readonly register: (request: RegisterRequest, context: { readonly requester: string }) => Promise<Authenticated>
  readonly login: (request: LoginRequest, context: LoginContext) => Promise<Authenticated>
  readonly sendRecoveryCode: (request: RecoveryCodeRequest) => Promise<Challenge>
  readonly confirmRecovery: (request: RecoveryRequest) => Promise<PasswordChanged>
  readonly replaceRecoveryEmail: (
    request: RecoveryEmailRequest,
    context: SignedInContext,
  ) => Promise<RecoveryEmailStanding>
  readonly sendEmailCode: (session: SignedIn) => Promise<EmailChallenge>
  readonly verifyEmail: (request: VerifyEmailRequest, session: SignedIn) => Promise<EmailVerified>
  readonly changePassword: (request: ChangePasswordRequest, context: SignedInContext) => Promise<PasswordChanged>
}

export function createIdentity(deps: IdentityDeps): Identity {
  return {
    sendCode: (request) => sendCode(deps, request),
    register: (request, context) => register(deps, request, context),
    login: (request, context) => login(deps, request, context),
    sendRecoveryCode: (request) => sendRecoveryCode(deps, request),
    confirmRecovery: (request) => confirmRecovery(deps, request),
    replaceRecoveryEmail: (request, context) => replaceRecoveryEmail(deps, request, context),
    sendEmailCode: ({ accountId }) => sendEmailCode(deps, accountId),
    verifyEmail: (request, { accountId }) => verifyEmail(deps, request, accountId),
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
