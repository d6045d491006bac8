import type { Command } from 'commander'
import { findAnything } from '../features/operators/lookup/search.ts'
import { createArchivedReads } from '../features/records/archives/archived-reads.ts'
import { archivesOf } from '../features/records/archives/feature.ts'
import { readKeyring } from '../ops/secrets.ts'
import type { OpenedEngine } from '../storage/open-store.ts'
import type { CommandLine } from './acting.ts'
import { Misuse } from './terminal.ts'

/** The limits of `GET /api/search`. */
const lengths = { min: 2, max: 254 }

export function addFind(program: Command, line: CommandLine): void {
  const { terminal, readInput } = line
  program
    .command('find <text>')
    .description('find what a customer quotes: an ID or its beginning, the start of a key, a phone number, an email')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nWith - the text is read from standard input: arguments are visible to other users.')
    .action(async (given: string, { json }: { json?: true }) => {
      const text = (given === '-' ? await readInput() : given).trim()
      if (text.length < lengths.min || text.length > lengths.max)
        throw new Misuse(`the text must have ${lengths.min} to ${lengths.max} characters`)
      const items = await line.withStore((engine) =>
        findAnything(
          { engine, archives: archivedIn(line, engine), readKeyring: () => readKeyring(line.config()) },
          text,
        ),
      )
      if (json) return terminal.printJson({ items })
      await terminal.printTable(
        ['kind', 'id', 'what', 'project', 'account', 'page'],
        items.map(({ kind, id, label, projectId, accountId, path }) => [kind, id, label, projectId, accountId, path]),
        'Nothing found.\n',
      )
    })
}

const archivedIn = ({ config, terminal }: CommandLine, engine: OpenedEngine) =>
  createArchivedReads({
    ...{ engine, directory: archivesOf(config()) },
    onUnreadable: (fileName) => terminal.note(`${fileName} of the archives has it, and cannot be read here.`),
  })
