import { tokenDigest } from '../../../base/signatures.ts'
import { Refusal } from '../../../contract/errors.ts'
import { ok } from '../../../http/endpoint.ts'
import { sessionCookie, setSessionCookie } from '../../../http/guards.ts'
import type { Call, Route } from '../../../http/route.ts'
import type { OperatorGuard } from '../../../operator-kit/guard.ts'
import { operatorCookieName } from '../../../operator-kit/guard.ts'
import type { Limit } from '../../identity/accounts/challenge-store.ts'
import type { HashTurn } from '../../identity/accounts/passwords.ts'
import { countLoginAttempt, type LoginLimits, type RateLimiter } from '../../identity/accounts/rate-limits.ts'
import type { AccountStore } from '../../identity/accounts/store.ts'
import { openEndpoint, operatorEndpoint } from '../endpoint.ts'
import type { OperatorHosts } from '../listener/hosts.ts'
import type {
  ConfirmTotpRequest,
  OperatorPasswordRequest,
  OperatorSignInRequest,
  SignedInOperator,
  TotpRequest,
} from './contract.ts'
import { longestSeconds } from './sessions.ts'
import {
  changeOwnPassword,
  confirmOwnTotp,
  replaceOwnTotp,
  type SignInDeps,
  signInWithLink,
  signInWithPassword,
} from './sign-in.ts'

export interface OperatorSessionRouteDeps {
  readonly guard: OperatorGuard
  readonly hosts: OperatorHosts
  readonly signIn: SignInDeps
  /** Attempts are limited like those of payers, in windows of their own. */
  readonly accountStore: AccountStore
  readonly limiter: RateLimiter
  readonly limits: LoginLimits & { readonly loginPerRequester: Limit }
  readonly digestRequester: (network: string) => string
}

export function operatorSessionRoutes(deps: OperatorSessionRouteDeps): Route[] {
  const { guard, signIn, hosts } = deps
  const cookie = (call: Call, value: string) =>
    setSessionCookie({
      name: operatorCookieName,
      value,
      maxAgeSeconds: value === '' ? 0 : longestSeconds,
      isSecure: hosts.originOf(call).startsWith('https:'),
    })
  const knownRequesters = new RecentRequesters()

  async function turnOf(requester: string, previous: string | undefined): Promise<HashTurn> {
    const session = previous === undefined ? undefined : await signIn.sessions.find(previous, { isActivity: false })
    if (session) return { rank: 'known operator', requester: session.name }
    return { rank: knownRequesters.has(requester) ? 'known operator' : 'operator', requester }
  }

  return [
    openEndpoint<OperatorSignInRequest>('operator.sign_in', async (call, read) => {
      guard.origin(call)
      const requester = deps.digestRequester(call.requester.network)
      await deps.limiter.take(`operator-sign-in ${requester}`, deps.limits.loginPerRequester)
      const { token, ...credentials } = await read(call)
      const previous = sessionCookie(call, operatorCookieName)
      const turn = await turnOf(requester, previous)
      const opened =
        token === undefined
          ? await withPassword(deps, credentials, { requester, turn })
          : await withLink(signIn, token, credentials)
      knownRequesters.add(requester)
      if (previous) await signIn.sessions.endToken(previous)
      const { name, role, csrfToken } = opened
      const body: SignedInOperator = { name, role, csrfToken }
      return { ...ok(body), headers: { 'Set-Cookie': cookie(call, opened.token) } }
    }),
    operatorEndpoint(guard, 'operator.me', ({ operator: { name, role, csrfToken } }) =>
      ok({ name, role, csrfToken } satisfies SignedInOperator),
    ),
    operatorEndpoint(guard, 'operator.sign_out', async ({ operator, call }) => {
      await signIn.sessions.end(operator)
      return { ...ok({ state: 'signed_out' }), headers: { 'Set-Cookie': cookie(call, '') } }
    }),
    operatorEndpoint<OperatorPasswordRequest>(guard, 'operator.password', async ({ operator, body, call }) => {
      await countAttempt(deps, operator.name, deps.digestRequester(call.requester.network))
      const endedSessions = await changeOwnPassword(signIn, operator, body)
      return ok({ state: 'password_changed', endedSessions })
    }),
    operatorEndpoint<TotpRequest>(guard, 'operator.totp', async ({ operator, body, call }) => {
      await countAttempt(deps, operator.name, deps.digestRequester(call.requester.network))
      return ok(await replaceOwnTotp(signIn, operator, body))
    }),
    operatorEndpoint<ConfirmTotpRequest>(guard, 'operator.totp.confirm', async ({ operator, body, call }) => {
      await countAttempt(deps, operator.name, deps.digestRequester(call.requester.network))
      await confirmOwnTotp(signIn, operator, body)
      return ok({ state: 'totp_confirmed' })
    }),
  ]
}

function withLink(signIn: SignInDeps, token: string, others: object) {
  if (Object.keys(others).length > 0) throw eitherKind()
  return signInWithLink(signIn, token)
}

const eitherKind = () => new Refusal('INVALID_JSON', { explain: 'Send name and password, or token.' })

async function withPassword(
  deps: OperatorSessionRouteDeps,
  { name, password, totp }: Omit<OperatorSignInRequest, 'token'>,
  { requester, turn }: { requester: string; turn: HashTurn },
) {
  if (name === undefined || password === undefined) {
    throw eitherKind()
  }
  await countAttempt(deps, name, requester)
  return signInWithPassword(deps.signIn, { name, password, totp, turn })
}

/** Names differ by more than case, so attempts count for all spellings. */
const countAttempt = (deps: OperatorSessionRouteDeps, name: string, requesterDigest: string) =>
  countLoginAttempt(
    { store: deps.accountStore, limiter: deps.limiter, limits: deps.limits },
    { identifierDigest: `operator ${tokenDigest('operator-name', name.toLowerCase())}`, requesterDigest },
  )

/** Where an operator signed in lately, as digests. */
class RecentRequesters {
  readonly #digests = new Set<string>()

  has = (digest: string) => this.#digests.has(digest)

  add(digest: string): void {
    this.#digests.delete(digest)
    if (this.#digests.size >= maxRecentRequesters) this.#digests.delete(this.#digests.values().next().value!)
    this.#digests.add(digest)
  }
}

const maxRecentRequesters = 1000
