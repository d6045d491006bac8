import type { Command } from 'commander'
import { isoOf } from '../base/time.ts'
import { archivesOf } from '../features/records/archives/feature.ts'
import { csvLine } from '../features/records/reports/exports.ts'
import { openStatement, type StatementLine } from '../features/records/reports/statement-store.ts'
import type { CommandLine } from './acting.ts'
import { alignCell, CommandFailure, Misuse, parseTime, type TableCell } from './terminal.ts'

interface StatementFlags {
  readonly csv?: true
  readonly json?: true
  readonly from?: number
  readonly to?: number
}

export function addStatement(program: Command, { withStore, config, terminal }: CommandLine): void {
  program
    .command('statement <projectId>')
    .description('print the ledger of a project with its running balance')
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON')
    .option('--from <time>', 'from this day or time on', parseTime)
    .option('--to <time>', 'before this day or time', parseTime)
    .action(async (projectId: string, { csv, json, from = 0, to = Number.MAX_SAFE_INTEGER }: StatementFlags) => {
      if (csv && json) throw new Misuse('choose one of --csv and --json')
      await withStore(async (engine) => {
        const pages = await openStatement(engine, { projectId, from, to }, { archives: archivesOf(config()) })
        if (!pages) throw new CommandFailure(`there is no project ${projectId}`)
        const format = csv ? csvFormat : json ? jsonFormat(projectId) : tableFormat
        let isFirst = true
        await terminal.print(format.head)
        for await (const page of pages) {
          await terminal.print(page.map((line, index) => format.line(line, isFirst && index === 0)).join(''))
          isFirst = false
        }
        await terminal.print(format.foot)
      })
    })
}

/** Pages are printed as they are read, so that a ledger of any length fits into memory. */
interface Format {
  readonly head: string
  readonly line: (line: StatementLine, isFirst: boolean) => string
  readonly foot: string
}

const columns = {
  seq: 8,
  time: 24,
  kind: 8,
  credits: 10,
  available: 12,
  reserved: 10,
  operation: 23,
  charge: 24,
  order: 26,
  reference: 24,
} as const

const fieldsOf = (line: StatementLine): Record<keyof typeof columns, TableCell> => ({
  seq: line.seq,
  time: isoOf(line.at),
  kind: line.kind,
  credits: line.amount,
  available: line.available,
  reserved: line.reserved,
  operation: line.operation,
  charge: line.chargeId,
  order: line.orderId,
  reference: line.reference,
})

const csvFormat: Format = {
  head: csvLine(Object.keys(columns)),
  line: (line) => csvLine(Object.values(fieldsOf(line))),
  foot: '',
}

const jsonFormat = (projectId: string): Format => ({
  head: `{"projectId":${JSON.stringify(projectId)},"entries":[`,
  line: (line, isFirst) => `${isFirst ? '' : ','}\n${JSON.stringify(fieldsOf(line))}`,
  foot: '\n]}\n',
})

const tableFormat: Format = {
  head: row(Object.keys(columns)),
  line: (line) => row(Object.values(fieldsOf(line))),
  foot: '',
}

function row(cells: readonly TableCell[]): string {
  const widths = Object.values(columns)
  return `${cells
    .map((cell, column) => alignCell(cell, widths[column]!))
    .join('  ')
    .trimEnd()}\n`
}
