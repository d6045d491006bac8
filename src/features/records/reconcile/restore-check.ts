import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { timeOfSortableId } from '../../../base/ids.ts'
import { pasteableTime } from '../../../ops/log.ts'
import type { Engine } from '../../../storage/engine.ts'
import { chargesNotStored } from '../../../storage/store-facts.ts'
import { type ArchiveFiles, filesBetween, readArchive } from '../archives/page.ts'
import { archiveFiles } from '../archives/store.ts'

/** A call that had a charge, which is not in the store. */
export interface LostCall {
  readonly requestId: string
  readonly at: string
  /** The operation of the request, by whatever route: a chat, an OpenAI completion, an MCP request. */
  readonly operation: string
  readonly status: number
  readonly projectId: string
  readonly chargeId: string
}

export interface LostCalls {
  /** Request lines of the log, of whatever kind. */
  readonly requests: number
  /** The time of the latest line; null if no line has one. */
  readonly endsAt: string | null
  /** Calls in the log that had a charge. */
  readonly calls: number
  readonly lostCount: number
  /** The first of them, up to the limit, in the order of the log. */
  readonly lost: readonly LostCall[]
}

const pageCalls = 500

/** Finds calls of the log whose charges are missing, because the copy lacks their commits. */
export async function findLostCalls(
  engine: Pick<Engine, 'read'>,
  logFile: string,
  { archives, limit }: { archives: ArchiveFiles; limit: number },
): Promise<LostCalls> {
  const result = { requests: 0, calls: 0, lostCount: 0, lost: [] as LostCall[] }
  let latestMs = Number.NEGATIVE_INFINITY
  let page: LostCall[] = []
  const check = async () => {
    const chargeIds = page.map(({ chargeId }) => chargeId)
    const missing = await chargesNotStored(engine, chargeIds)
    for (const chargeId of await archivedCharges(engine, archives, missing)) missing.delete(chargeId)
    const lost = page.filter(({ chargeId }) => missing.has(chargeId))
    result.calls += page.length
    result.lostCount += lost.length
    result.lost.push(...lost.slice(0, limit - result.lost.length))
    page = []
  }
  for await (const line of createInterface({ input: createReadStream(logFile), crlfDelay: Number.POSITIVE_INFINITY })) {
    const entry = logEntry(line)
    if (entry === null) continue
    const at = typeof entry.time === 'string' ? Date.parse(entry.time) : Number(entry.time)
    if (at > latestMs) latestMs = at
    if (entry.msg !== 'request') continue
    result.requests += 1
    const call = chargedCall(entry)
    if (call) page.push(call)
    if (page.length === pageCalls) await check()
  }
  await check()
  return { ...result, endsAt: Number.isFinite(latestMs) ? pasteableTime(latestMs) : null }
}

/** Those of the charges that were archived. */
async function archivedCharges(engine: Pick<Engine, 'read'>, archives: ArchiveFiles, chargeIds: ReadonlySet<string>) {
  if (chargeIds.size === 0) return []
  const oldest = Math.min(...[...chargeIds].map((chargeId) => timeOfSortableId(chargeId)!))
  const found: string[] = []
  // A charge is in the file of the month in which it ended.
  for (const file of filesBetween(await engine.read(archiveFiles), oldest, Number.MAX_SAFE_INTEGER))
    for await (const line of readArchive(archives, file))
      if (line.type === 'charge' && chargeIds.has(line.chargeId)) found.push(line.chargeId)
  return found
}

type LogEntry = Readonly<Record<string, unknown>>

/**
 * What the gateway wrote in a line of its log, behind whatever a collector put before it (`docker compose logs`, `journalctl`) or
 * around it (`journalctl -o json`, Docker's own files). Null if there is nothing of the gateway in it.
 */
export function logEntry(line: string): LogEntry | null {
  const start = line.indexOf('{')
  if (start < 0) return null
  let entry: unknown
  try {
    entry = JSON.parse(line.slice(start))
  } catch {
    // A line that was cut off, or of another program.
    return null
  }
  if (typeof entry !== 'object' || entry === null) return null
  const { MESSAGE, log } = entry as LogEntry
  const wrapped = MESSAGE ?? log
  return typeof wrapped === 'string' ? logEntry(wrapped) : (entry as LogEntry)
}

/** The call of a request line; null for one without a charge, and for a replay, whose charge is that of the first request. */
export function chargedCall({
  operationId,
  requestId,
  status,
  isReplay,
  projectId,
  chargeId,
}: LogEntry): LostCall | null {
  const at = typeof chargeId === 'string' ? timeOfSortableId(chargeId) : undefined
  if (at === undefined || isReplay) return null
  return {
    requestId: String(requestId),
    at: pasteableTime(at),
    operation: String(operationId),
    status: Number(status),
    projectId: String(projectId),
    chargeId: String(chargeId),
  }
}
