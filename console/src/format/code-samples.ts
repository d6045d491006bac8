interface Call {
  readonly url: string
  readonly body: unknown
  readonly idempotencyKey: string
}

/** A call as code in several languages. Each reads the key from the environment. */
export const codeSamples = {
  curl: curlOf,
  javascript: ({ url, body, idempotencyKey }: Call) =>
    `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.GATEWAY_API_KEY}\`,
    'Idempotency-Key': ${JSON.stringify(idempotencyKey)},
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), '  ')}),
})
console.log(response.status, await response.json())`,
  python: ({ url, body, idempotencyKey }: Call) =>
    `import os
import requests

response = requests.post(
    ${JSON.stringify(url)},
    headers={
        "Authorization": f"Bearer {os.environ['GATEWAY_API_KEY']}",
        "Idempotency-Key": ${JSON.stringify(idempotencyKey)},
    },
    json=${indented(pythonOf(body), '    ')},
)
print(response.status_code, response.json())`,
} as const

export type SampleLanguage = keyof typeof codeSamples

const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)

/** JSON with Python's names for constants; JSON strings are valid Python. */
function pythonOf(value: unknown, by = ''): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${by}    `
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((item) => pythonOf(item, inner))]
    : ['{', '}', Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonOf(item, inner)}`)]
  if (parts.length === 0) return `${open}${close}`
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${by}${close}`
}

interface Command {
  readonly url: string
  readonly body: unknown
  readonly keyPrefix?: string | undefined
  readonly idempotencyKey?: string
}

/** A call for a POSIX shell. The key stays in a variable, out of the shell's history. */
export function curlOf({ url, body, keyPrefix, idempotencyKey }: Command): string {
  return [
    ...(keyPrefix ? [`# GATEWAY_API_KEY: ${keyPrefix}`] : []),
    `curl ${quoted(url)} \\`,
    `  -H "Authorization: Bearer $GATEWAY_API_KEY" \\`,
    `  -H "Idempotency-Key: ${idempotencyKey ?? '$(uuidgen)'}" \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join('\n')
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A new Idempotency-Key. Not `randomUUID`, which exists only in secure contexts. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
