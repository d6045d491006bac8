import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSortableId } from '../../../../src/base/ids.ts'
import { chargedCall, logEntry } from '../../../../src/features/records/reconcile/restore-check.ts'
import { pasteableTime } from '../../../../src/ops/log.ts'
import { restoreFacts } from '../../../../src/storage/store-facts.ts'
import { runCommand } from '../../../../testkit/gateway/run-command.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { type GoodHistory, startedAt, writeGoodHistory } from './good-history.ts'

describe.each(engines)('restore-check on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let history: GoodHistory
  beforeAll(async () => {
    fresh = await freshStore(engine)
    history = await writeGoodHistory(fresh.store)
  })
  afterAll(() => fresh.remove())

  const check = async () => {
    const { exitCode, stdout } = await runCommand(fresh.database, ['restore-check', '--json'])
    return { exitCode, ...JSON.parse(stdout) }
  }

  test('restore-check names the newest record of each kind and the open charges by state and age', async () => {
    const report = await check()
    expect(report).toMatchObject({ exitCode: 0, gaps: [], gapCount: 0, log: null })
    const { newest } = report as { newest: { what: string; at: string | null }[] }
    const at = Object.fromEntries(newest.map(({ what, at }) => [what, at]))
    expect(at['call admitted']).toBe(pasteableTime(startedAt + 16_000))
    expect(at['ledger entry']).toBe(pasteableTime(startedAt + 17_000))
    expect(at['order credited']).toBe(pasteableTime(startedAt))
    expect(at['operator action']).not.toBeNull()
    expect(report.openCharges).toEqual([
      {
        ...{ state: 'reserved', age: 'under a minute', forwards: true, charges: 1, credits: 3 },
        oldestAt: pasteableTime(startedAt + 1000),
      },
      expect.objectContaining({ state: 'manual_review', charges: 1, credits: 3 }),
    ])
    const { stdout } = await runCommand(fresh.database, ['restore-check'])
    expect(stdout).toContain('No ledger has a gap.')
    expect(stdout).toMatch(/^manual_review +under a minute +1 .*stays in review$/m)
  })

  test('restore-check finds a ledger that has lost an entry in the middle or at its end, and exits with 1', async () => {
    const { projectId } = history.customer
    const entryOf = (seq: string) =>
      `SELECT entry_id FROM ledger_entries WHERE project_id = '${projectId}' AND seq = ${seq}`
    const last = `(SELECT entries FROM balances WHERE project_id = '${projectId}')`
    for (const seq of ['5', last]) {
      await fresh.store.write((tx) =>
        tx.run(`UPDATE ledger_entries SET seq = seq + 1000000 WHERE entry_id = (${entryOf(seq)})`),
      )
      expect(await check()).toMatchObject({ exitCode: 1, gapCount: 1, gaps: [{ projectId }] })
      await fresh.store.write((tx) => tx.run('UPDATE ledger_entries SET seq = seq - 1000000 WHERE seq > 1000000'))
    }
    expect(await check()).toMatchObject({ exitCode: 0, gapCount: 0 })
  })

  test('restore-check reads no more gaps than it lists, and counts them all', async () => {
    await fresh.store.write((tx) => tx.run('UPDATE balances SET entries = entries + 1'))
    const { gaps, gapCount } = await restoreFacts(fresh.store, 1)
    expect({ gaps: gaps.length, gapCount }).toEqual({ gaps: 1, gapCount: 2 })
    await fresh.store.write((tx) => tx.run('UPDATE balances SET entries = entries - 1'))
  })

  describe('with the log', () => {
    const checkLog = async (lines: readonly string[], ...options: readonly string[]) => {
      const log = join(fresh.database.dataDir, 'gateway.log')
      await writeFile(log, lines.map((line) => `${line}\n`).join(''))
      return runCommand(fresh.database, ['restore-check', '--log', log, ...options])
    }
    const later = () => new Date(Date.now() + 1000).toISOString()
    const refused = { status: 402, chargeId: undefined }
    const lost = (changes: object = {}) => written({ time: later(), ...changes })

    test.each(Object.keys(collectors))(
      'restore-check with the log names lost calls and their projects as %s gives it, exit code 1',
      async (name) => {
        const ran = await checkLog([collectors[name]!(lost())])
        expect(ran.exitCode).toBe(1)
        expect(ran.stdout).toContain('1 of these charges are missing, so the calls can be charged again')
        expect(ran.stdout).toMatch(/^prj_1 +req_\w+ +chg_\w+ /m)
      },
    )

    test('restore-check with the log names every lost call in JSON, and the first 1,000 in the terminal', async () => {
      const chargeIds = Array.from({ length: 1100 }, (_, place) => newSortableId('chg', startedAt + place))
      const lines = chargeIds.map((chargeId) => lost({ chargeId }))
      const { lost: listed, lostCount } = JSON.parse((await checkLog(lines, '--json')).stdout).log
      expect(lostCount).toBe(1100)
      expect(listed.map((call: { chargeId: string }) => call.chargeId)).toEqual(chargeIds)
      const { stdout } = await checkLog(lines)
      expect(stdout).toContain('1100 of these charges are missing')
      expect(stdout).toContain('(the first 1000 are listed; --json has all)')
      expect(stdout.match(/^prj_1 /gm)).toHaveLength(1000)
    })

    test('restore-check with the log does not pass a log without a request, exit code 2', async () => {
      for (const lines of [[], ['no line of a gateway'], [lost({ msg: 'listening' })], [lost().slice(0, -9)]]) {
        const ran = await checkLog(lines)
        expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no line of the log is a request') })
        expect(ran.stdout).not.toContain('is in the store')
      }
    })

    test('restore-check with the log does not pass a log that ends before the last commit, exit code 2', async () => {
      const early = lost({ time: new Date(startedAt - 86_400_000).toISOString(), ...refused })
      const ran = await checkLog([early])
      expect(ran.exitCode).toBe(2)
      expect(ran.stderr).toMatch(/^the log ends at .*, before the last commit of the store/)
      // The same with the numbers that older gateways wrote.
      expect(await checkLog([lost({ time: startedAt - 86_400_000, ...refused })])).toMatchObject({ exitCode: 2 })
      expect(await checkLog([early, lost({ ...refused })])).toMatchObject({ exitCode: 0, stderr: '' })
    })
  })
})

/** As the gateway writes it. */
const written = (changes: object = {}) =>
  JSON.stringify({
    ...{
      level: 30,
      time: '2026-11-17T04:30:35.123Z',
      pid: 1,
      hostname: 'a',
      requestId: newSortableId('req', startedAt),
    },
    ...{ method: 'POST', route: '/v1/models/chat', operationId: 'model.chat', status: 200, code: null },
    ...{ projectId: 'prj_1', chargeId: newSortableId('chg', startedAt), durationMs: 1.5, msg: 'request', ...changes },
  })

/** What each collector makes of a line. */
const collectors: Record<string, (line: string) => string> = {
  'the gateway itself': (line) => line,
  'docker compose logs': (line) => `gateway-a-1  | ${line}`,
  'docker compose logs in colour': (line) => `\u001b[36mgateway-a-1  | \u001b[0m${line}`,
  'docker compose logs --timestamps': (line) => `gateway-a-1  | 2026-11-17T04:30:35.124101287Z ${line}`,
  'a log file of Docker': (line) =>
    JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: '2026-11-17T04:30:35.124Z' }),
  journalctl: (line) => `Nov 17 04:30:35 db-1 gateway[4711]: ${line}`,
  'journalctl -o short-iso': (line) => `2026-11-17T04:30:35+00:00 db-1 node[4711]: ${line}`,
  'journalctl -o cat': (line) => line,
  'journalctl -o json': (line) =>
    JSON.stringify({ _SYSTEMD_UNIT: 'gateway.service', PRIORITY: '6', MESSAGE: line, _PID: '4711' }),
  'kubectl logs --prefix': (line) => `[pod/gateway-5d9/gateway] ${line}`,
}

test.each(Object.keys(collectors))('a line is read as %s gives it', (collector) => {
  const line = written()
  expect(logEntry(collectors[collector]!(line))).toEqual(JSON.parse(line))
})

test('every line with a charge counts, whatever its route and status, and no replay', () => {
  // Later than every other id of this file: they never go back.
  const at = startedAt + 60_000
  const requestId = newSortableId('req', at)
  const chargeId = newSortableId('chg', at)
  const read = (changes: object) => chargedCall(JSON.parse(written({ requestId, chargeId, ...changes })))
  const call = {
    ...{ requestId, at: pasteableTime(at), operation: 'model.chat', status: 200 },
    ...{ projectId: 'prj_1', chargeId },
  }
  expect(read({})).toEqual(call)
  for (const other of [{ status: 202 }, { status: 502 }, { operationId: 'openai.chat.completions' }])
    expect(read(other)).toMatchObject({ chargeId, ...(other.status && { status: other.status }) })
  for (const other of [{ isReplay: true }, { chargeId: undefined }, { chargeId: 'chg_1' }])
    expect(read(other)).toBeNull()
  for (const text of ['', 'not JSON "request"', written().slice(0, -5), '{', 'a {"b"} c'])
    expect(logEntry(text)).toBeNull()
})
