import type {
  AuthResponse,
  Challenge,
  LoginRequest,
  RegisterRequest,
  SendCodeRequest,
} from '../contract/schemas/identity.ts'
import type { Digests } from './digests.ts'
import { login } from './login.ts'
import type { Passwords } from './passwords.ts'
import type { AccountRow, IdentityProvider, IdentityStore, SmsSender } from './ports.ts'
import type { Limit, RateLimiter } from './rate-limits.ts'
import { register } from './register.ts'
import { sendCode } from './send-code.ts'
import type { OpenedSession, Sessions } from './sessions.ts'

export interface IdentityDeps {
  readonly store: IdentityStore
  readonly sessions: Sessions
  readonly digests: Digests
  readonly passwords: Passwords
  readonly sms: SmsSender
  readonly identityProvider: IdentityProvider
  readonly limiter: RateLimiter
  readonly limits: { readonly sendCodePerPhone: Limit; readonly loginPerIdentifier: Limit }
  readonly clock: () => number
}

/** Who just proved to be the owner of an account, and the session they got for it. */
export interface Authenticated {
  readonly account: AccountRow
  readonly session: OpenedSession
}

export interface Identity {
  readonly sendCode: (request: SendCodeRequest) => Promise<Challenge>
  readonly register: (request: RegisterRequest) => Promise<Authenticated>
  /** `presented` is the session cookie that came with the request: it ends with the login. */
  readonly login: (request: LoginRequest, presented: string | undefined) => Promise<Authenticated>
}

export function createIdentity(deps: IdentityDeps): Identity {
  return {
    sendCode: (request) => sendCode(deps, request),
    register: (request) => register(deps, request),
    login: (request, presented) => login(deps, request, presented),
  }
}

export const publicAccount = (account: AccountRow): AuthResponse['account'] => ({
  accountId: account.accountId,
  identitySubject: account.identitySubject,
  phoneMasked: account.phoneMasked,
  recoveryEmailMasked: account.recoveryEmailMasked,
  recoveryEmailState: account.recoveryEmailState,
})
