import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { ConfigFault } from '../../src/config/faults.ts'

export type Variables = Record<string, string | undefined>

/** Loads a configuration with this file. */
export function withFile(file: unknown, variables: Variables = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'config-'))
  const path = join(directory, 'config.json')
  try {
    writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file))
    return loadConfig({ ...variables, GATEWAY_CONFIG: path })
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** The one line that stops the start. */
export function faultOf(load: () => unknown): string {
  try {
    load()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigFault)
    return (error as Error).message
  }
  throw new Error('nothing was wrong')
}

export const secret = 'x'.repeat(32)
export const publicVariables = {
  GATEWAY_ORIGIN: 'https://gateway.example',
  GATEWAY_LISTEN: '0.0.0.0:8787',
  GATEWAY_SECRET: secret,
}

const openai = { adapter: 'openai', baseUrl: 'http://127.0.0.1:9100/v1', models: { fast: 'upstream-name' } }
export const provider = (change: object) => ({ models: { providers: { model_provider_b: { ...openai, ...change } } } })
