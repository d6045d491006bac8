import { fixed, table } from './report/table.ts'

/** More than this share above the published ratio is a call that has become dearer. */
const allowed = 0.1

/** Every call is compared with the echo: the CPU time of the bare relay differs by a sixth from run to run. */
export const gateContestants = ['fastify-echo', 'local-sqlite', 'local-postgres', 'relay-sqlite', 'replay']

export interface ComparedCost {
  readonly name: string
  readonly measured: number
  readonly published: number
  readonly isDearer: boolean
}

/** The CPU time of each call, its database server's included, as a multiple of the echo's: in two cost tables. */
export function compareCosts(measured: string, published: string, echo: string): ComparedCost[] {
  const [now, before] = [cpuByName(measured), cpuByName(published)]
  return [...now].flatMap(([name, cpu]) => {
    const earlier = before.get(name)
    if (name === echo || earlier === undefined) return []
    const ratios = { measured: cpu / now.get(echo)!, published: earlier / before.get(echo)! }
    return [{ name, ...ratios, isDearer: ratios.measured > ratios.published * (1 + allowed) }]
  })
}

export const gateTable = (costs: readonly ComparedCost[]): string =>
  table(
    ['CPU, of the echo', 'published', 'measured', ''],
    costs.map(({ name, measured, published, isDearer }) => [
      name,
      fixed(published, 2),
      fixed(measured, 2),
      isDearer ? '**dearer**' : '',
    ]),
  )

/** Rows of a cost table: name, CPU, of that the event loop's, the database server's. */
function cpuByName(report: string): Map<string, number> {
  const costs = report.slice(report.indexOf('| CPU µs |'))
  const rows = costs.matchAll(/^\| (\S.*?) \| ([\d,]+) \| [\d,]+ \| ([\d,]+|–) \|/gm)
  return new Map(Array.from(rows, ([, name, own, database]) => [name!, micros(own!) + micros(database!)]))
}

const micros = (cell: string) => (cell === '–' ? 0 : Number(cell.replaceAll(',', '')))
