#!/usr/bin/env node
import process from 'node:process'
import { Gateway, GatewayError } from './index.ts'
import { verifyArguments, verifyCommand } from './verify-command.ts'

const usage = `usage: GATEWAY_API_KEY=... gateway-sdk whoami | balance | charge ID\n       gateway-sdk verify ${verifyArguments}`

/** One JSON object on standard output, or one line on standard error. */
async function run(): Promise<number> {
  const { GATEWAY_API_KEY: apiKey, GATEWAY_BASE_URL: baseURL = 'http://localhost:8787' } = process.env
  const [command, ...rest] = process.argv.slice(2)
  if (command === 'verify') {
    const code = await verifyCommand(rest, console.log)
    if (code === null) console.error(usage)
    return code ?? 2
  }
  const ask = apiKey && question(new Gateway({ apiKey, baseURL }), command, rest)
  if (!ask) {
    console.error(usage)
    return 2
  }
  try {
    console.log(JSON.stringify(await ask()))
    return 0
  } catch (error) {
    const { code, message } = error instanceof GatewayError ? error : { code: 'UNKNOWN', message: String(error) }
    console.error(`${code}: ${message}`)
    return 1
  }
}

function question(
  gateway: Gateway,
  command: string | undefined,
  rest: readonly string[],
): (() => Promise<object>) | null {
  const [chargeId, ...others] = rest
  if (command === 'whoami' && rest.length === 0) return () => gateway.key.get()
  if (command === 'charge' && chargeId && others.length === 0) return () => gateway.charges.get(chargeId)
  if (command !== 'balance' || rest.length > 0) return null
  return async () => {
    const { credits, budget } = await gateway.key.get()
    return { credits, budget }
  }
}

process.exitCode = await run()
