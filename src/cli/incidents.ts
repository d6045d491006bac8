import type { Command } from 'commander'
import { listIncidents } from '../features/operators/status/incidents.ts'
import type { CommandLine } from './acting.ts'

/** `add`, `edit` and `end` are made from the operator contract. */
export function addIncidents(program: Command, line: CommandLine): void {
  const { terminal, clock } = line
  program
    .command('incidents')
    .description('outages and maintenance on the public status page')
    .command('list')
    .description('list them: open ones first, then planned ones, each the newest first')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const items = await line.withStore((engine) => engine.read((tx) => listIncidents(tx, clock())))
      if (json) return terminal.printJson({ items })
      await terminal.printTable(
        ['id', 'state', 'from', 'to', 'zh', 'en', 'by'],
        items.map(({ incidentId, state, from, to, zh, en, addedBy }) => [incidentId, state, from, to, zh, en, addedBy]),
        'There are no incidents.\n',
      )
    })
}
