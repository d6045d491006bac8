import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { archivesOf } from '../features/records/archives/feature.ts'
import { findLostCalls, type LostCalls } from '../features/records/reconcile/restore-check.ts'
import { transparencyFault } from '../features/records/transparency/publisher.ts'
import { pasteableTime } from '../ops/log.ts'
import { type RestoreFacts, restoreFacts } from '../storage/store-facts.ts'
import { type CommandLine, longRead } from './acting.ts'
import { Misuse, table } from './terminal.ts'

export function addRestoreCheck(program: Command, { withStore, config, terminal }: CommandLine): void {
  program
    .command('restore-check')
    .description(
      'show what a restored store contains: its last commit, open charges, gaps, the public tree; exit code 1 if calls are missing or the tree is another, 2 if the log cannot tell',
    )
    .option('--log <file>', "the gateway's log, to find answered calls whose charge is missing")
    .option('--json', 'print JSON, with every lost call')
    .action(async ({ log, json }: { log?: string; json?: true }) => {
      if (log !== undefined && !existsSync(log)) throw new Misuse(`there is no file ${log}`)
      const limit = json ? Number.POSITIVE_INFINITY : listedCalls
      const { facts, treeFault, calls } = await withStore(async (engine) => {
        const facts = await restoreFacts(engine)
        return {
          facts,
          treeFault: await transparencyFault(engine, config().dataDir),
          calls: log === undefined ? null : await findLostCalls(engine, log, { archives: archivesOf(config()), limit }),
        }
      }, longRead)
      const fault = calls && logFault(facts, calls)
      if (facts.gapCount > 0 || (calls?.lostCount ?? 0) > 0 || treeFault !== null) terminal.finish(1)
      else if (fault) terminal.finish(2)
      if (fault) terminal.note(fault)
      if (json) return terminal.printJson({ ...toJson(facts, calls && { ...calls, fault }), treeFault })
      await terminal.print(
        [formatTimes(facts), formatOpen(facts), formatGaps(facts), formatTree(treeFault), formatCalls(calls)].join(
          '\n',
        ),
      )
    })
}

/** How many lost calls are worth reading in a terminal. */
const listedCalls = 1000

const timeOf = (ms: number | null) => (ms === null ? null : pasteableTime(ms))

/** The newest time of all: what was committed later is not in the copy. */
const lastCommit = ({ newest, server }: RestoreFacts): number | null => {
  if (server?.lastCommitMs != null) return server.lastCommitMs
  const times = [server?.replayedUntilMs ?? null, ...newest.map(({ atMs }) => atMs)].filter((ms) => ms !== null)
  return times.length === 0 ? null : Math.max(...times)
}

/** Clocks of gateways and database differ a little, and the last lines of a log may have been lost with the machine. */
const logToleranceMs = 60_000

/** Why the log cannot tell which calls were lost; null if it can. */
function logFault(facts: RestoreFacts, { requests, endsAt }: LostCalls): string | null {
  if (requests === 0)
    return 'no line of the log is a request: give the log that the gateway wrote to its standard output, with LOG_LEVEL info'
  const last = lastCommit(facts)
  if (last === null || endsAt === null || Date.parse(endsAt) >= last - logToleranceMs) return null
  return `the log ends at ${endsAt}, before the last commit of the store: it cannot name calls that were lost after that`
}

function formatTimes(facts: RestoreFacts): string {
  const { newest, server } = facts
  const rows = newest.map(({ what, atMs }) => [what, timeOf(atMs)])
  const recovered = server
    ? `The database server is on timeline ${server.timeline}; the last commit that its recovery replayed was at ${timeOf(server.replayedUntilMs) ?? 'an unknown time'}.\n`
    : ''
  return `The last commit that this store knows of was at ${timeOf(lastCommit(facts)) ?? 'an unknown time'}.\n${recovered}${table(['newest', 'time'], rows)}`
}

function formatOpen({ open, waiting }: RestoreFacts): string {
  const taken = `${waiting.mediaJobs} media jobs are polled again, ${waiting.messages} messages are sent again.\n`
  if (open.length === 0) return `No charge is open. ${taken}`
  const rows = open.map(({ state, forwards, age, charges, credits, oldestMs }) => [
    state,
    age,
    charges,
    credits,
    timeOf(oldestMs),
    state === 'manual_review' ? 'stays in review' : forwards ? 'goes to review' : 'is released',
  ])
  return `Open charges, and what the first start does with them:\n${table(['state', 'age', 'charges', 'credits', 'oldest', 'then'], rows)}${taken}`
}

function formatGaps({ gaps, gapCount }: RestoreFacts): string {
  if (gapCount === 0) return 'No ledger has a gap.\n'
  const rows = gaps.map((gap) => [gap.projectId, gap.counted, gap.found, gap.firstSeq, gap.lastSeq])
  return `${gapCount} ledgers have a gap: the copy is not of one moment.\n${table(['project', 'entries', 'found', 'first', 'last'], rows)}`
}

const formatTree = (fault: string | null): string =>
  fault === null
    ? 'The public tree continues the checkpoint that was kept here. Run this on every machine: each has its own.\n'
    : `The public tree is not the one whose checkpoint was kept here: ${fault}. Restore a newer copy, or run transparency fork before the first start.\n`

function formatCalls(calls: LostCalls | null): string {
  if (calls === null) return 'Pass the log of the gateway (--log) to find calls that were answered later.\n'
  const found = `${calls.calls} calls of the log had a charge`
  if (calls.requests === 0) return ''
  if (calls.lostCount === 0) return `${found}, and each of them is in the store.\n`
  const rows = calls.lost.map(({ projectId, requestId, chargeId, at, operation, status }) => [
    projectId,
    requestId,
    chargeId,
    at,
    operation,
    status,
  ])
  const more = calls.lostCount > calls.lost.length ? ` (the first ${calls.lost.length} are listed; --json has all)` : ''
  return `${found}; ${calls.lostCount} of these charges are missing, so the calls can be charged again${more}:\n${table(['project', 'request', 'charge', 'answered', 'operation', 'status'], rows)}`
}

const toJson = (facts: RestoreFacts, calls: (LostCalls & { fault: string | null }) | null) => ({
  lastCommitAt: timeOf(lastCommit(facts)),
  newest: facts.newest.map(({ what, atMs }) => ({ what, at: timeOf(atMs) })),
  server: facts.server && {
    timeline: facts.server.timeline,
    replayedUntil: timeOf(facts.server.replayedUntilMs),
    lastCommitAt: timeOf(facts.server.lastCommitMs),
  },
  openCharges: facts.open.map(({ oldestMs, ...open }) => ({ ...open, oldestAt: timeOf(oldestMs) })),
  waiting: facts.waiting,
  gaps: facts.gaps,
  gapCount: facts.gapCount,
  log: calls,
})
