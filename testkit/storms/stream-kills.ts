import { setTimeout as delay } from 'node:timers/promises'
import { askAndLeave, type OpenStream, openStreamAt } from '../gateway/openai-caller.ts'
import { goodContent, goodEvents, goodStream, steppedStream, streams } from '../providers/streams.ts'
import type { Behaviour } from '../providers/upstream.ts'
import type { Store } from '../store/engines.ts'
import type { Customer } from '../store/rig.ts'

/** The fourth part is the end: the usage that may follow it is still waited for, so the charge is not settled yet. */
const held = ['no part', 'one part', 'two parts', 'three parts', 'all parts']
const ended = 'after the end'
const stopped = 'stopped'

/** Streams of a client that repeats what breaks, held at every part while a gateway is killed. */
export function createStreams(store: Store, { apiKey, projectId }: Customer) {
  const behaviours = new Map<string, Behaviour>()
  const openings: Promise<OpenStream | null>[] = []
  const faults: string[] = []
  let endedCharge: string | string[] | undefined
  const bodyOf = (prompt: string) => ({ model: 'fast', messages: [{ role: 'user', content: prompt }] })
  /** What `openai` sends after its connection broke. */
  const repeat = (port: number, prompt: string) =>
    openStreamAt(port, apiKey, bodyOf(prompt), { 'x-stainless-retry-count': '1' })
  const expected = (what: string, isSo: boolean, found: unknown) =>
    void (isSo || faults.push(`${what}: ${String(found)}`))

  async function until(state: string, count: number): Promise<void> {
    const sql = 'SELECT COUNT(*) AS n FROM charges WHERE project_id = $1 AND state = $2'
    for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 50) {
      const row = await store.read((tx) => tx.get<{ n: number }>(sql, [projectId, state]))
      if (row!.n === count) return
      await delay(50)
    }
    throw new Error(`there are not ${count} streams that are ${state}`)
  }

  return {
    faults,
    prompts: [...held, ended, stopped],
    /** What the provider does with a prompt of these streams. */
    behaviourOf: (prompt: string) => behaviours.get(prompt),
    /** Resolves when each stream is at its part, and one has ended after its caller left. */
    async hold(port: number): Promise<void> {
      const last = steppedStream()
      behaviours.set(ended, last.behaviour)
      const opening = openStreamAt(port, apiKey, bodyOf(ended))
      await last.started
      last.send(goodEvents[0]!)
      const stream = await opening
      endedCharge = stream.headers['x-charge-id']
      await stream.leave()
      last.send(goodEvents.slice(1).join(''))
      last.finish()
      await until('settled', 1)
      for (const [parts, prompt] of held.entries()) {
        const stepped = steppedStream()
        behaviours.set(prompt, stepped.behaviour)
        const opening = openStreamAt(port, apiKey, bodyOf(prompt)).catch(() => null)
        openings.push(opening)
        await stepped.started
        if (parts === 0) continue
        stepped.send(goodEvents.slice(0, parts).join(''))
        await (await opening)?.until('data: ')
      }
    },
    /** Repeats each of them after the kill. */
    async repeatAll(port: number): Promise<void> {
      await Promise.all(openings)
      await until('reserved', 0)
      for (const prompt of held) {
        const found = await repeat(port, prompt)
        const text = await found.rest()
        expected(prompt, found.status === 403 && text.includes('MANUAL_REVIEW'), `${found.status} ${text}`)
      }
      const found = await repeat(port, ended)
      const text = await found.rest()
      const isSame = found.status === 200 && found.headers['x-charge-id'] === endedCharge
      expected(ended, isSame && text.includes(JSON.stringify(goodContent).slice(1, -1)), `${found.status} ${text}`)
    },
    /** A gateway that is stopped for a while takes a call and its repeat for one. */
    async repeatWhileStopped(gateway: { readonly port: number; pause(): void; resume(): void }): Promise<void> {
      behaviours.set(stopped, streams(goodStream))
      gateway.pause()
      await askAndLeave(gateway.port, apiKey, bodyOf(stopped))
      const second = repeat(gateway.port, stopped)
      gateway.resume()
      const found = await second
      const text = await found.rest()
      expected(stopped, found.status === 200 && text.includes('[DONE]'), `${found.status} ${text}`)
    },
  }
}
