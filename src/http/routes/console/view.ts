import type { Operation } from '../../../contract/operation.ts'
import type { SignedIn } from '../../../identity/sessions.ts'
import { endpoint } from '../../endpoint.ts'
import type { Guards } from '../../guards.ts'
import { queryReader } from '../../query.ts'
import type { Call, Route, RouteResponse } from '../../route.ts'

export interface ViewDeps {
  readonly operation: (id: string) => Operation
  readonly guards: Guards
}

type Show<Q> = (seen: { session: SignedIn; query: Q; call: Call }) => Promise<RouteResponse> | RouteResponse

/** Something that a signed-in person looks at: the session is judged first, then the query. */
export function view<Q extends object>({ operation, guards }: ViewDeps, id: string, show: Show<Q>): Route {
  const readQuery = queryReader<Q>(operation(id))
  const route = endpoint(operation(id), async (call) => {
    const session = await guards.session(call)
    return show({ session, query: readQuery(call), call })
  })
  return { ...route, mayCompress: true }
}

export const ok = (body: object): RouteResponse => ({ status: 200, body })
