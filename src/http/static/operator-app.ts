import { Refusal } from '../../contract/errors.ts'
import { operatorPages } from '../../contract/operator/pages.ts'
import type { Call, Route, RouteResponse } from '../route.ts'
import { type BuiltApp, loadBuiltApp, notBuilt } from './built-app.ts'

/** The operator's console: one page for each of its paths, and the files it is made of. Only its data needs a sign-in. */
export function operatorAppRoutes({ directory }: { readonly directory: URL }): Route[] {
  let loaded: BuiltApp | undefined
  const answer = (serve: (app: BuiltApp, call: Call) => Promise<RouteResponse>) => (call: Call) => {
    loaded ??= loadBuiltApp(directory, 'operator.html')
    return loaded ? serve(loaded, call) : notBuilt
  }
  const page = answer((app, call) => app.page.answer(call))
  const asset = answer(async (app, call) => {
    const found = app.assets.get(call.params.name ?? '')
    if (!found) throw new Refusal('NOT_FOUND')
    return found.answer(call)
  })
  const paths = ['/', ...operatorPages.flatMap((name) => [`/${name}`, `/${name}/{id}`])]
  return [
    ...paths.map((path): Route => ({ operationId: 'operator.page', method: 'GET', path, handle: page })),
    { operationId: 'operator.asset', method: 'GET', path: '/assets/{name}', handle: asset },
  ]
}
