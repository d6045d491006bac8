import type { AuditEntry, AuditHead } from './audit-entry.ts'
import { type ChainFault, chainFaults, emptyChain, headAfter, headFaults } from './chain.ts'

export interface AuditSource {
  readonly head: () => Promise<AuditHead | undefined>
  /** In the order of their numbers. */
  readonly entriesAfter: (seq: number, limit: number) => Promise<AuditEntry[]>
}

export interface AuditReport {
  readonly isSound: boolean
  readonly entries: number
  /** Note it down elsewhere: whoever can rewrite the whole store cannot rewrite that. */
  readonly lastHash: string
  readonly faultCount: number
  /** The first of them. */
  readonly faults: readonly ChainFault[]
}

const pageRows = 1000
const maxFaults = 1000

/** Reads the whole log and hashes it again. After a fault it goes on from the entry as it is, so that each is reported once. */
export async function verifyChain({ head, entriesAfter }: AuditSource): Promise<AuditReport> {
  const faults: ChainFault[] = []
  let faultCount = 0
  let entries = 0
  let last = emptyChain
  const add = (found: readonly ChainFault[]) => {
    faultCount += found.length
    faults.push(...found.slice(0, maxFaults - faults.length))
  }
  for (;;) {
    const page = await entriesAfter(last.entries, pageRows)
    for (const entry of page) {
      add(chainFaults(last, entry))
      last = headAfter(entry)
      entries += 1
    }
    if (page.length < pageRows) break
  }
  add(headFaults({ entries, hash: last.hash }, await head()))
  return { isSound: faultCount === 0, entries, lastHash: last.hash, faultCount, faults }
}
