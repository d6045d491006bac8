import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { reconcile } from '../reconcile/reconcile.ts'
import type { Reader } from '../storage/engine.ts'
import type { ExportSummary, ImportSummary } from '../storage/transfer/transfer.ts'
import { CommandFailure, Misuse, type Terminal } from './terminal.ts'

export interface TransferDeps {
  /** Opens a store of any version, without a gateway. */
  readonly exportTo: (file: string) => Promise<ExportSummary>
  readonly importFrom: (file: string, prove: (tx: Reader) => Promise<void>) => Promise<ImportSummary>
  readonly terminal: Terminal
}

export function addTransfer(program: Command, { exportTo, importFrom, terminal }: TransferDeps): void {
  program
    .command('export <file>')
    .description('write a stopped store, also of a version before 0.2.0, to a new file that import reads')
    .option('--json', 'print JSON')
    .action(async (path: string, { json }: { json?: true }) => {
      const file = resolve(path)
      if (existsSync(file)) throw new Misuse(`${file} already exists; an export never overwrites a file`)
      if (!existsSync(dirname(file))) throw new Misuse(`the directory ${dirname(file)} does not exist`)
      const { rows, inReview } = await exportTo(file)
      if (json) return terminal.printJson({ file, rows, inReview })
      const open = inReview === 0 ? '' : `${inReview} charges are in review and stay in review.\n`
      await terminal.print(
        `${file} now holds ${describeRows(rows)}.\n${open}Sessions and unsent messages are not in it. Keep the secret and the archive files with it.\n`,
      )
    })
  program
    .command('import <file>')
    .description('read the file of an export into an empty store')
    .option('--json', 'print JSON')
    .action(async (path: string, { json }: { json?: true }) => {
      const file = resolve(path)
      if (!existsSync(file)) throw new Misuse(`${file} does not exist`)
      const { rows, replacedTexts } = await importFrom(file, proveBooks)
      if (json) return terminal.printJson({ file, rows, replacedTexts })
      const replaced =
        replacedTexts === 0 ? '' : `In ${replacedTexts} texts U+0000, which the database cannot store, became U+FFFD.\n`
      await terminal.print(`The store now holds ${describeRows(rows)}. The books are sound.\n${replaced}`)
    })
}

const describeRows = ({
  accounts = 0,
  api_keys: keys = 0,
  orders = 0,
  charges = 0,
}: Readonly<Record<string, number>>) => `${accounts} accounts, ${keys} keys, ${orders} orders and ${charges} charges`

/** On the rows of one transaction, before it commits. */
async function proveBooks(tx: Reader): Promise<void> {
  const { isSound, differenceCount, differences } = await reconcile({ read: (work) => work(tx) })
  if (isSound) return
  const [first] = differences
  throw new CommandFailure(
    `the books in the file are not sound (${differenceCount} differences; the first: ${first?.invariant} at ${first?.at}), so nothing was imported: run reconcile on the store that it came from`,
  )
}
