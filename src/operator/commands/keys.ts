import type { Command } from 'commander'
import type { AdministrationCommandDeps } from './administration-deps.ts'
import { type ActionOptions, actorOf, addActionOptions } from './arguments.ts'

export function addKeys(program: Command, { withAdministration, terminal, userName }: AdministrationCommandDeps): void {
  const keys = program.command('keys').description('revoke keys of payers')
  addActionOptions(keys.command('revoke <key>').description('refuse every further call with this key')).action(
    async (keyId: string, { reason, by = userName(), json }: ActionOptions) => {
      const key = await withAdministration((operate) => operate.revokeKey(actorOf(by), { keyId, reason }))
      const { projectId, displayPrefix } = key
      const revokedAt = new Date(key.revokedAt!).toISOString()
      if (json) return terminal.printJson({ keyId, projectId, displayPrefix, state: 'revoked', revokedAt })
      await terminal.print(`${keyId} of ${projectId} (${displayPrefix}) is revoked.\n`)
    },
  )
}
