import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { ReadTilePath } from './merkle.ts'
import { type Jwks, type Verification, verifyReceipt, verifyStatement } from './verify.ts'

export const verifyArguments =
  'FILE.jws --keys jwks.json [--since old.checkpoint] [--tiles FOLDER|URL] [--entries FILE.jsonl] [--json]'

/** `verify`: 0 if every check passes, 1 if one fails, 2 for wrong arguments. */
export async function verifyCommand(args: readonly string[], print: (line: string) => void): Promise<number | null> {
  const given = read(args)
  if (!given) return null
  const { file, keys, since, tiles, entries, isJson } = given
  let result: Verification
  try {
    const jws = (await readFile(file, 'utf8')).trim()
    const jwks = JSON.parse(await readFile(keys, 'utf8')) as Jwks
    if (!Array.isArray(jwks.keys)) throw new Error(`${keys} is not a JWK set`)
    const options = {
      jwks,
      ...(since !== undefined && { since: await readFile(since, 'utf8') }),
      ...(tiles !== undefined && { tiles: tileReader(tiles) }),
    }
    const isStatement = typeOf(jws) === 'statement+jws'
    const lines = entries === undefined ? {} : { entries: await readFile(entries, 'utf8') }
    result = await (isStatement ? verifyStatement(jws, { ...options, ...lines }) : verifyReceipt(jws, options))
  } catch (error) {
    console.error(String((error as Error).message))
    return 2
  }
  const { ok, steps } = result
  if (isJson) print(JSON.stringify({ ok, steps }))
  else {
    for (const step of steps) print(`${step.ok ? 'passed' : 'FAILED'}  ${step.name}: ${step.detail}`)
    print(ok ? 'Verified.' : 'Not verified.')
  }
  return ok ? 0 : 1
}

function read(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { keys: text, since: text, tiles: text, entries: text, json: { type: 'boolean' } },
    })
    const [file, ...others] = positionals
    const { keys, since, tiles, entries, json: isJson = false } = values
    return file && keys && others.length === 0 ? { file, keys, since, tiles, entries, isJson } : null
  } catch {
    return null
  }
}

function typeOf(jws: string): string | null {
  try {
    return JSON.parse(Buffer.from(jws.split('.')[0]!, 'base64url').toString()).typ
  } catch {
    return null
  }
}

const tileTimeoutMs = 10_000

/** Tiles of a folder that has `tile/`, or of a log such as https://gateway.example/transparency. */
function tileReader(place: string): ReadTilePath {
  if (/^https?:\/\//.test(place)) {
    return async (path) => {
      const response = await fetch(`${place.replace(/\/$/, '')}/${path}`, {
        signal: AbortSignal.timeout(tileTimeoutMs),
      })
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : null
    }
  }
  return (path) => readFile(join(place, path)).catch(() => null)
}
