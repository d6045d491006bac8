import { isoOf } from '../../../../base/time.ts'
import { endpoint, ok, pathParameter, type ViewDeps, viewRoute } from '../../../../http/endpoint.ts'
import { sessionCookie } from '../../../../http/guards.ts'
import type { Route } from '../../../../http/route.ts'
import type { Accounts } from '../feature.ts'
import { requesterOf } from '../routes.ts'
import type { FactorProven } from './contract.ts'
import type {
  AddPasskeyRequest,
  PasskeyProofRequest,
  RenamePasskeyRequest,
  StartPasskeyRequest,
} from './passkey-contract.ts'
import {
  addPasskey,
  askForPasskey,
  listPasskeys,
  type PasskeyDeps,
  provePasskey,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
  startPasskey,
  startSignIn,
} from './passkeys.ts'

export interface PasskeyRouteDeps extends ViewDeps, Pick<Accounts, 'respondSignedIn'> {
  readonly passkey: PasskeyDeps
}

export function passkeyRoutes({ passkey, respondSignedIn, ...deps }: PasskeyRouteDeps): Route[] {
  const { operation, guards } = deps
  const remove = operation('console.passkeys.remove')
  const rename = operation('console.passkeys.rename')
  return [
    endpoint<object>(operation('auth.passkey.start'), async (call, read) => {
      guards.origin(call)
      await guards.requester(call, 'loginPerRequester', read)
      return ok(startSignIn(passkey))
    }),
    endpoint<PasskeyProofRequest>(operation('auth.passkey.finish'), async (call, read) => {
      guards.origin(call)
      const proof = await guards.requester(call, 'loginPerRequester', read)
      const context = { previousToken: sessionCookie(call), ...requesterOf(call) }
      return respondSignedIn(call, 200, await signInWithPasskey(passkey, proof, context))
    }),
    viewRoute(deps, 'console.passkeys.list', async ({ session }) => ok(await listPasskeys(passkey, session))),
    endpoint<StartPasskeyRequest>(operation('console.passkeys.start'), async (call, read) => {
      const session = await guards.sensitiveWrite(call)
      const request = await guards.requester(call, 'loginPerRequester', read)
      return ok(await startPasskey(passkey, request, { session, ...requesterOf(call) }))
    }),
    endpoint<AddPasskeyRequest>(operation('console.passkeys.add'), async (call, read) => {
      const session = await guards.sensitiveWrite(call)
      return ok(await addPasskey(passkey, await read(call), session))
    }),
    endpoint<RenamePasskeyRequest>(rename, async (call, read) => {
      const session = await guards.sensitiveWrite(call)
      const { name } = await read(call)
      const passkeyId = pathParameter(rename, call, 'passkeyId')
      return ok(await renamePasskey(passkey, session, { passkeyId, name }))
    }),
    endpoint<object>(remove, async (call, read) => {
      const session = await guards.sensitiveWrite(call)
      await read(call)
      return ok(await removePasskey(passkey, session, pathParameter(remove, call, 'passkeyId')))
    }),
    endpoint<object>(operation('console.passkeys.ask'), async (call, read) => {
      const session = await guards.sessionWrite(call)
      await read(call)
      return ok(await askForPasskey(passkey, session))
    }),
    endpoint<PasskeyProofRequest>(operation('console.passkeys.prove'), async (call, read) => {
      const session = await guards.sessionWrite(call)
      const until = await provePasskey(passkey, await read(call), session)
      return ok({ provenUntil: isoOf(until) } satisfies FactorProven)
    }),
  ]
}
