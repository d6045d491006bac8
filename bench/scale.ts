import { installPeers } from './contestants/peers.ts'
import { type Measured, measure } from './measure.ts'
import { readOptions } from './options.ts'
import { describeMachine, machineLines, packageVersion } from './report/machine.ts'
import { publish } from './report/publish.ts'
import { scaleChart, scaleReport, scaleSummary } from './report/scale-report.ts'
import { measureInstances, mostInstances } from './scale/instances.ts'
import { measureLongRun } from './scale/long-run.ts'
import { openSite, type Site } from './scale/site.ts'
import { openStage } from './stage.ts'

/** What becomes of the speed when the books are long, when one project takes all calls, and with more gateways. */
const options = readOptions()
const { projects, sizes, rounds, seconds } = options
const connections = 64
const stage = await openStage(installPeers)
const machine = describeMachine(stage.workDir)

const sites: Site[] = []
for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  for (const charges of sizes) {
    console.log(`filling a store: ${engine}, ${charges.toLocaleString('en-US')} charges of ${projects} projects`)
    const name = `size_${charges}`
    sites.push(await openSite(stage, { engine, size: { projects, charges }, instances: 1, name }))
  }
}
// Long enough to meet every project several times: the first call of each finds nothing remembered, and PostgreSQL puts the whole of a
// page into its log when it is first changed after a checkpoint, five times of what a call else writes.
const schedule = { connections: [connections], rounds, seconds, warmUpSeconds: 3 * seconds }
const bySite = sites.map((site, place) => {
  const many = site.contestant(`site-${place}-many`, 'many')
  // Whether one project is slower does not hang on how much is stored.
  return site.size.charges === sizes[0] ? [many, site.contestant(`site-${place}-hot`, 'hot')] : [many]
})
const measured = await measure(bySite.flat(), stage.generator, schedule)
console.log('\na long run ...')
const earlier = measured
  .filter(({ contestant }) => bySite[0]!.includes(contestant))
  .reduce((sum, { tally }) => sum + tally.answered, 0)
const longRun = await measureLongRun(sites[0]!, stage.generator, { calls: options.longRunCalls, earlier })
console.log('\nchecking the books ...')
const findings: { site: Site; runs: Measured[] }[] = []
for (const [place, site] of sites.entries()) {
  const runs = measured.filter(({ contestant }) => bySite[place]!.includes(contestant))
  const all = place === 0 ? [...runs, longRun] : runs
  const answers = {
    answered: all.reduce((sum, { tally }) => sum + tally.answered, 0),
    cutOff: all.reduce((sum, { tally }) => sum + tally.cutOff, 0),
  }
  runs[0]!.faults.push(...(await site.close(answers)))
  findings.push({ site, runs })
}

console.log('\nmore gateways on one database ...')
const shared = await openSite(stage, {
  engine: 'PostgreSQL',
  size: { projects, charges: 0 },
  instances: mostInstances,
  name: 'shared',
})
const { results: instances, tally, faults } = await measureInstances(shared, stage.generator, { rounds, seconds })
faults.push(...(await shared.close(tally)))
await stage.clear()

const run = { findings, longRun, instances, instanceFaults: faults, machine, options, generator: stage.generator.name }
const markdown = scaleReport(run, [
  `versions: Node ${process.versions.node}, pg ${packageVersion('pg')}, load by ${stage.generator.name}`,
])
const file = await publish({
  name: 'scale',
  markdown,
  chart: scaleChart(run),
  summary: `${machineLines(machine).join('\n')}\n\n${scaleSummary(run)}`,
  isQuick: options.isQuick,
})
console.log(`\n${markdown}\nwritten to ${file}`)
const isRight = faults.length === 0 && [...measured, longRun].every((one) => one.faults.length === 0)
process.exit(isRight ? 0 : 1)
