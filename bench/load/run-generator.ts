import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { atExit } from '../at-exit.ts'
import { cpuSeconds } from '../process-usage.ts'
import type { LoadResult } from './load.ts'

const sampleMs = 100
const graceMs = 30_000

/** Runs a load generator that prints its result as the last line, and measures its CPU time. */
export async function runGenerator(command: string, args: readonly string[], seconds: number): Promise<LoadResult> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let complaints = ''
  let generatorCpuSeconds: number | null = null
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (complaints += chunk))
  const sampler = setInterval(() => {
    generatorCpuSeconds = cpuSeconds([child.pid!]) ?? generatorCpuSeconds
  }, sampleMs)
  const deadline = setTimeout(() => child.kill('SIGKILL'), seconds * 1000 + graceMs)
  const end = () => child.kill('SIGKILL')
  atExit.add(end)
  const [code] = await once(child, 'close')
  atExit.delete(end)
  clearInterval(sampler)
  clearTimeout(deadline)
  const line = output.trimEnd().split('\n').at(-1) ?? ''
  if (code !== 0 || !line.startsWith('{')) throw new Error(`${command} ended with ${code}:\n${output}${complaints}`)
  return { ...JSON.parse(line), generatorCpuSeconds }
}
