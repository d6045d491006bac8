interface Command {
  readonly url: string
  readonly body: unknown
  readonly keyPrefix?: string | undefined
  readonly idempotencyKey?: string
}

/** A call for a POSIX shell. The key stays in a variable, so that it is not written into the shell's history. */
export function curlOf({ url, body, keyPrefix, idempotencyKey }: Command): string {
  return [
    ...(keyPrefix ? [`# GATEWAY_KEY: ${keyPrefix}`] : []),
    `curl ${quoted(url)} \\`,
    `  -H "Authorization: Bearer $GATEWAY_KEY" \\`,
    `  -H "Idempotency-Key: ${idempotencyKey ?? '$(uuidgen)'}" \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join('\n')
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
