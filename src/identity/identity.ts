import type {
  AuthResponse,
  Challenge,
  LoginRequest,
  RegisterRequest,
  SendCodeRequest,
} from '../contract/schemas/identity.ts'
import type { Authenticated, IdentityDeps } from './deps.ts'
import { type LoginContext, login } from './login.ts'
import type { AccountRow } from './ports.ts'
import { register } from './register.ts'
import { sendCode } from './send-code.ts'

export interface Identity {
  readonly sendCode: (request: SendCodeRequest) => Promise<Challenge>
  readonly register: (request: RegisterRequest) => Promise<Authenticated>
  readonly login: (request: LoginRequest, context: LoginContext) => Promise<Authenticated>
}

export function createIdentity(deps: IdentityDeps): Identity {
  return {
    sendCode: (request) => sendCode(deps, request),
    register: (request) => register(deps, request),
    login: (request, context) => login(deps, request, context),
  }
}

export const publicAccount = (account: AccountRow): AuthResponse['account'] => ({
  accountId: account.accountId,
  identitySubject: account.identitySubject,
  phoneMasked: account.phoneMasked,
  recoveryEmailMasked: account.recoveryEmailMasked,
  recoveryEmailState: account.recoveryEmailState,
})
