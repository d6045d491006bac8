import type { Static, TSchema } from 'typebox'
import { createTokenKeeper, type Reply, waitMs } from './ask.ts'

interface Described {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly takesIdempotencyKey: boolean
  readonly responses: readonly { readonly schema: TSchema }[]
}

/** The operation of a method and a path, which is given without the prefix that all of them have. */
type Of<O extends Described, Prefix extends string, Method, Path extends string> = Extract<
  O,
  { readonly method: Method; readonly path: `${Prefix}${Path}` }
>
type Paths<O extends Described, Prefix extends string, Method> = Extract<
  O,
  { readonly method: Method }
>['path'] extends infer Path
  ? Path extends `${Prefix}${infer Rest}`
    ? Rest
    : never
  : never

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type Only<Condition, Part> = Condition extends true ? Part : unknown

type Params<O extends Described> = Only<
  [NamesIn<O['path']>] extends [never] ? false : true,
  { path: Record<NamesIn<O['path']>, string> }
> &
  Only<O['takesIdempotencyKey'], { header: { 'Idempotency-Key': string } }> &
  (O extends { readonly queryParameters: infer Query }
    ? { query?: { [Name in keyof Query]?: Query[Name] extends TSchema ? Static<Query[Name]> : never } }
    : unknown)

type Options<O extends Described> = (O extends { readonly request: infer Body extends TSchema }
  ? { body: Static<Body> }
  : unknown) &
  (object extends Params<O> ? { params?: Params<O> } : { params: Params<O> }) & { parseAs?: 'blob' }

type Send<O extends Described, Prefix extends string, Method> = <const Path extends Paths<O, Prefix, Method>>(
  path: Path,
  ...rest: object extends Options<Of<O, Prefix, Method, Path>>
    ? [options?: Options<Of<O, Prefix, Method, Path>>]
    : [options: Options<Of<O, Prefix, Method, Path>>]
) => Reply<Static<Of<O, Prefix, Method, Path>['responses'][number]['schema']>>

interface ClientOptions {
  readonly baseUrl: string
  readonly fetch: (request: Request, init: RequestInit) => Promise<Response>
}

/** Calls the operations of the contract. Its writes carry the CSRF token that `token` keeps. */
export function createClient<O extends Described, Prefix extends string>({ baseUrl, fetch }: ClientOptions) {
  const token = createTokenKeeper()

  const send =
    (method: 'GET' | 'POST') =>
    async (path: string, { params = {}, body, parseAs }: AnyOptions = {}) => {
      const named = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params.path![name]!))
      const query = new URLSearchParams(
        Object.entries(params.query ?? {}).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)] as [string, string]],
        ),
      )
      const request = new Request(`${baseUrl}${named}${query.size > 0 ? `?${query}` : ''}`, {
        method,
        headers: {
          ...params.header,
          ...(method === 'POST' && { 'Content-Type': 'application/json', ...token.header() }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const response = await fetch(request, { signal: AbortSignal.timeout(waitMs) })
      if (!response.ok) return { response, error: parsed(await response.text()) }
      return { response, data: await (parseAs === 'blob' ? response.blob() : response.json()) }
    }

  return {
    token,
    GET: send('GET') as Send<O, Prefix, 'GET'>,
    POST: send('POST') as Send<O, Prefix, 'POST'>,
  }
}

interface AnyOptions {
  readonly params?: {
    readonly path?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, unknown>>
    readonly header?: Readonly<Record<string, string>>
  }
  readonly body?: unknown
  readonly parseAs?: 'blob'
}

/** A proxy may respond with a page instead of JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
