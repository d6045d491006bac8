import { isoOf } from '../../../../base/time.ts'
import { endpoint, ok, type ViewDeps, viewRoute } from '../../../../http/endpoint.ts'
import { type SignedIn, sessionCookie } from '../../../../http/guards.ts'
import type { Call, Route } from '../../../../http/route.ts'
import type { Accounts } from '../feature.ts'
import { pendingCookieName, requesterOf } from '../routes.ts'
import type { FactorCodeRequest, FactorProven, SetUpTotpRequest } from './contract.ts'
import { type FactorDeps, proveInSession, proveSignIn } from './proof.ts'
import {
  confirmTotp,
  keepFactor,
  readSecondFactor,
  removeTotp,
  replaceRecoveryCodes,
  setUpTotp,
} from './second-factor.ts'

export interface FactorRouteDeps extends ViewDeps, Pick<Accounts, 'respondSignedIn'> {
  readonly factor: FactorDeps
}

export function secondFactorRoutes({ factor, respondSignedIn, ...deps }: FactorRouteDeps): Route[] {
  const { operation, guards } = deps

  /** A write that takes nothing. */
  const action = (
    id: string,
    admit: (call: Call) => Promise<SignedIn>,
    act: (deps: FactorDeps, session: SignedIn) => Promise<object>,
  ): Route =>
    endpoint<object>(operation(id), async (call, read) => {
      const session = await admit(call)
      await read(call)
      return ok(await act(factor, session))
    })

  return [
    endpoint<FactorCodeRequest>(operation('auth.second_factor'), async (call, read) => {
      guards.origin(call)
      const { code } = await guards.requester(call, 'loginPerRequester', read)
      const pendingToken = sessionCookie(call, pendingCookieName)
      const context = { previousToken: sessionCookie(call), ...requesterOf(call) }
      return respondSignedIn(call, 200, await proveSignIn(factor, { pendingToken, code, ...context }))
    }),
    viewRoute(deps, 'console.second_factor.read', async ({ session }) => ok(await readSecondFactor(factor, session))),
    endpoint<FactorCodeRequest>(operation('console.second_factor.prove'), async (call, read) => {
      const session = await guards.sessionWrite(call)
      const { code } = await read(call)
      const until = await proveInSession(factor, session, { code, requester: call.requester.network })
      return ok({ provenUntil: isoOf(until) } satisfies FactorProven)
    }),
    endpoint<SetUpTotpRequest>(operation('console.second_factor.totp.set_up'), async (call, read) => {
      const session = await guards.sensitiveWrite(call)
      const request = await guards.requester(call, 'loginPerRequester', read)
      return ok(await setUpTotp(factor, request, { session, ...requesterOf(call) }))
    }),
    endpoint<FactorCodeRequest>(operation('console.second_factor.totp.confirm'), async (call, read) => {
      const session = await guards.sensitiveWrite(call)
      return ok(await confirmTotp(factor, await read(call), { session, ...requesterOf(call) }))
    }),
    action('console.second_factor.totp.remove', guards.sensitiveWrite, removeTotp),
    action('console.second_factor.recovery_codes.replace', guards.sensitiveWrite, replaceRecoveryCodes),
    action('console.second_factor.removal.cancel', guards.sessionWrite, keepFactor),
  ]
}
