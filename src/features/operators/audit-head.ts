import type { AuditHead } from '../../ledger/audit.ts'

export interface AuditHeadDeps {
  readonly read: () => Promise<AuditHead | undefined>
  readonly logger: { info(fields: object, message: string): void }
}

/** Logs the end of the audit log whenever it has moved, so that a copy of the log shows entries that were cut off. */
export function createAuditHeadWatch({ read, logger }: AuditHeadDeps) {
  let logged = ''
  return {
    /** At most one line per call, however many entries there are. */
    async report(): Promise<void> {
      const head = await read()
      if (!head || head.hash === logged) return
      logged = head.hash
      logger.info({ auditEntry: `${head.entries}:${head.hash}` }, 'the audit log has a new last entry')
    },
    entries: async () => (await read())?.entries ?? Number.NaN,
  }
}
