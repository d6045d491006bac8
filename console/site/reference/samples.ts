import { requestHeadersOf } from '../../../src/contract/headers.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import type { BillableOperation } from '../../../src/contract/prices.ts'
import { pathExampleOf } from '../../../src/contract/sample.ts'

export const sampleLanguages = { curl: 'curl', sdk: 'TypeScript', javascript: 'JavaScript', python: 'Python' } as const
export type SampleLanguage = keyof typeof sampleLanguages
export type Samples = Readonly<Record<SampleLanguage, string>>

/** A request that can be pasted and run, once the environment holds the key or the token that it names. */
export function samplesOf(operation: Operation, origin: string): Samples {
  const { method, access, request, requestExample } = operation
  const sample: Sample = {
    method,
    url: origin + pathOf(operation),
    headers: headersOf(operation, origin),
    hasCookie: access === 'session' || access === 'session-write',
    startsSession: operation.responses.some(({ headers }) => headers?.includes('Set-Cookie')),
    isJson: operation.responses[0]!.contentType === 'application/json',
    body: request && requestExample,
  }
  const plain = javascript(sample)
  return { curl: curl(sample), sdk: withSdk(operation, origin) ?? plain, javascript: plain, python: python(sample) }
}

interface Sample {
  readonly method: string
  readonly url: string
  readonly headers: readonly Header[]
  readonly hasCookie: boolean
  readonly startsSession: boolean
  readonly isJson: boolean
  readonly body: unknown
}

/** A fixed text, the value of an environment variable behind a prefix, or a new value for each request. */
type SampleHeader = { readonly text: string } | { readonly prefix: string; readonly variable: string } | 'fresh'
type Header = readonly [name: string, value: SampleHeader]

const apiKey: Header = ['Authorization', { prefix: 'Bearer ', variable: 'GATEWAY_API_KEY' }]

function headersOf(operation: Operation, origin: string): Header[] {
  const values: Record<string, SampleHeader> = {
    'X-CSRF-Token': { prefix: '', variable: 'CSRF_TOKEN' },
    'Idempotency-Key': 'fresh',
  }
  return [
    ...(operation.access === 'key' ? [apiKey] : []),
    ...requestHeadersOf(operation, origin)
      .filter(({ required }) => required)
      .map(({ name, sample }): Header => [name, values[name] ?? { text: sample }]),
  ]
}

function pathOf({ path, pathParameters = {} }: Operation): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => pathExampleOf(pathParameters[name]!))
}

function curl({ url, headers, hasCookie, startsSession, body }: Sample): string {
  const value = (header: SampleHeader) => {
    if (header === 'fresh') return '$(openssl rand -hex 16)'
    return 'text' in header ? header.text : `${header.prefix}$${header.variable}`
  }
  const cookies = [hasCookie && '-b cookies.txt', startsSession && '-c cookies.txt'].filter(Boolean).join(' ')
  return [
    `curl ${url}`,
    ...(cookies ? [cookies] : []),
    ...headers.map(([name, header]) => `-H "${name}: ${value(header)}"`),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${quoted(body)}'`]),
  ].join(' \\\n  ')
}

function javascript({ method, url, headers, hasCookie, isJson, body }: Sample): string {
  const value = (header: SampleHeader) => {
    if (header === 'fresh') return 'crypto.randomUUID()'
    if ('text' in header) return `'${header.text}'`
    const variable = `process.env.${header.variable}`
    return header.prefix ? `\`${header.prefix}\${${variable}}\`` : variable
  }
  const lines = [
    ...(hasCookie ? ['Cookie: process.env.GATEWAY_COOKIE,'] : []),
    ...headers.map(([name, header]) => `${/^\w+$/.test(name) ? name : `'${name}'`}: ${value(header)},`),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json',"]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(lines.length > 0 ? [`headers: {\n${indented(lines.join('\n'))}\n},`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${pretty(body)}),`]),
  ]
  const call = options.length > 0 ? `fetch('${url}', {\n${indented(options.join('\n'))}\n})` : `fetch('${url}')`
  return `const response = await ${call}\nconsole.log(response.status, await response.${isJson ? 'json' : 'text'}())`
}

/** The method of the SDK: the operation's name in camel case; models are plural there. */
export const sdkMethodOf = (operation: BillableOperation): string =>
  operation.replace(/^model\./, 'models.').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

function withSdk({ billing, requestExample }: Operation, origin: string): string | null {
  if (!billing) return null
  return [
    `// npm install ${origin}/sdk.tgz`,
    "import { Gateway } from '@api-relay-gateway/sdk'",
    '',
    `const gateway = new Gateway({ apiKey: process.env.GATEWAY_API_KEY!, baseURL: '${origin}' })`,
    `console.log(await gateway.${sdkMethodOf(billing.operation)}(${pretty(requestExample)}))`,
  ].join('\n')
}

function python({ method, url, headers, hasCookie, isJson, body }: Sample): string {
  const value = (header: SampleHeader) => {
    if (header === 'fresh') return 'str(uuid.uuid4())'
    if ('text' in header) return JSON.stringify(header.text)
    const variable = `os.environ["${header.variable}"]`
    return header.prefix ? `"${header.prefix}" + ${variable}` : variable
  }
  const lines = [
    ...(hasCookie ? ['"Cookie": os.environ["GATEWAY_COOKIE"],'] : []),
    ...headers.map(([name, header]) => `"${name}": ${value(header)},`),
  ]
  const parts = [
    `"${url}",`,
    ...(lines.length > 0 ? [`headers={\n${indented(lines.join('\n'), 4)}\n},`] : []),
    ...(body === undefined ? [] : [`json=${pythonic(body)},`]),
  ]
  const call = `requests.${method.toLowerCase()}(\n${indented(parts.join('\n'), 4)}\n)`
  const modules = [/os\.environ/.test(call) && 'import os', /uuid\./.test(call) && 'import uuid', 'import requests']
  const shown = isJson ? 'response.json()' : 'response.text'
  return [...modules.filter(Boolean), '', `response = ${call}`, `print(response.status_code, ${shown})`].join('\n')
}

/** Inside single quotes, in line with the other arguments. */
const quoted = (body: unknown) => indented(pretty(body)).trimStart().replaceAll("'", "'\\''")
const pretty = (value: unknown) => JSON.stringify(value, null, 2)
const literals: Record<string, string> = { true: 'True', false: 'False', null: 'None' }
const pythonic = (value: unknown) =>
  JSON.stringify(value, null, 4).replace(/^(.*[:[] ?|\s*)(true|false|null)(,?)$/gm, (_, before, word, after) =>
    [before, literals[word], after].join(''),
  )
const indented = (text: string, by = 2) => text.replace(/^(?=.)/gm, ' '.repeat(by))
