import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { type ArchiveFiles, filesBetween, readArchive } from '../archives/read-archive.ts'
import { timeOfSortableId } from '../contract/ids.ts'
import { billableOperations, type ChargedOperation, mediaOperation } from '../contract/prices.ts'
import { archiveFiles } from '../storage/archives/archive-store.ts'
import type { Engine } from '../storage/engine.ts'
import { requestsWithoutCharge } from '../storage/reports/logged-calls.ts'

/** A call that the gateway answered as charged or reserved, and whose charge the store does not have. */
export interface LostCall {
  readonly requestId: string
  readonly at: string
  readonly operation: ChargedOperation
  readonly status: number
}

export interface LostCalls {
  /** Calls in the log that were answered as charged or reserved. */
  readonly calls: number
  readonly lostCount: number
  /** The first of them, in the order of the log. */
  readonly lost: readonly LostCall[]
}

const pageCalls = 500

/** Compares the gateway's log with the charges: what is missing was lost with the commits that the copy does not have. */
export async function findLostCalls(
  engine: Pick<Engine, 'read'>,
  logFile: string,
  { archives, limit = 1000 }: { archives: ArchiveFiles; limit?: number },
): Promise<LostCalls> {
  const result = { calls: 0, lostCount: 0, lost: [] as LostCall[] }
  let page: LostCall[] = []
  const check = async () => {
    const missing = new Set(
      await requestsWithoutCharge(
        engine,
        page.map(({ requestId }) => requestId),
      ),
    )
    for (const requestId of await archivedRequests(engine, archives, missing)) missing.delete(requestId)
    const lost = page.filter(({ requestId }) => missing.has(requestId))
    result.calls += page.length
    result.lostCount += lost.length
    result.lost.push(...lost.slice(0, limit - result.lost.length))
    page = []
  }
  for await (const line of createInterface({ input: createReadStream(logFile), crlfDelay: Number.POSITIVE_INFINITY })) {
    const call = chargedCall(line)
    if (call) page.push(call)
    if (page.length === pageCalls) await check()
  }
  await check()
  return result
}

/** Those of the requests whose charge was archived. */
async function archivedRequests(
  engine: Pick<Engine, 'read'>,
  archives: ArchiveFiles,
  requestIds: ReadonlySet<string>,
): Promise<string[]> {
  if (requestIds.size === 0) return []
  const oldest = Math.min(...[...requestIds].map((requestId) => timeOfSortableId(requestId)!))
  const found: string[] = []
  // A charge stands in the file of the month in which it ended.
  for (const file of filesBetween(await engine.read(archiveFiles), oldest, Number.MAX_SAFE_INTEGER))
    for await (const line of readArchive(archives, file))
      if (line.type === 'charge' && requestIds.has(line.requestId)) found.push(line.requestId)
  return found
}

/** The call of a log line; null for any other line, and for a replay, whose charge has the id of the first request. */
export function chargedCall(line: string): LostCall | null {
  // Most lines of a large log need not be parsed.
  if (!line.includes('"request"')) return null
  let entry: Record<string, unknown>
  try {
    entry = JSON.parse(line)
  } catch {
    // A line that was cut off.
    return null
  }
  const { msg, operationId, requestId, status, isReplay } = entry
  const operation = charged.get(String(operationId))
  if (msg !== 'request' || operation === undefined || isReplay || !(status === 200 || status === 202)) return null
  const at = timeOfSortableId(String(requestId))
  return at === undefined ? null : { requestId: String(requestId), at: new Date(at).toISOString(), operation, status }
}

/** By the operation id of the request. */
const charged = new Map<string, ChargedOperation>([
  ...billableOperations.map((operation) => [operation, operation] as const),
  ['media.jobs.create', mediaOperation],
])
