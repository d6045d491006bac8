import { installPeers } from './contestants/peers.ts'
import { readOptions, roundsBySize } from './options.ts'
import { instancesSection } from './report/instances-report.ts'
import { describeMachine, machineLines, packageVersion } from './report/machine.ts'
import { publish } from './report/publish.ts'
import { scaleChart, scaleReport, scaleSummary } from './report/scale-report.ts'
import { measureSizes } from './scale/by-size.ts'
import { type InstancesResult, instanceProjects, measureInstances, mostInstances } from './scale/instances.ts'
import { openSite } from './scale/site.ts'
import { openStage } from './stage.ts'

/** Measures speed with long books, with all calls on one project, and with more gateways. */
const options = readOptions({ rounds: roundsBySize })
const { only, projects, rounds, seconds } = options
const stage = await openStage(installPeers)
const machine = describeMachine(stage.workDir)

if (only.includes('gateways')) {
  const { results, faults } = await gateways()
  console.log(`\n${[...machineLines(machine), '', instancesSection(results), '', ...faults].join('\n')}`)
  process.exit(faults.length === 0 ? 0 : 1)
}

// One engine at a time: a PostgreSQL that was just filled keeps writing for minutes.
const embedded = await measureSizes(stage, 'SQLite', options, { withLongRun: true })
const served = await measureSizes(stage, 'PostgreSQL', options, { withLongRun: false })
const findings = [...embedded.findings, ...served.findings]
const longRun = embedded.longRun!

const { results: instances, faults } = await gateways()

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
const everything = [...findings.map(({ measured }) => measured), longRun]
process.exit(faults.length === 0 && everything.every((one) => one.faults.length === 0) ? 0 : 1)

async function gateways(): Promise<{ results: InstancesResult[]; faults: string[] }> {
  console.log('\nmore gateways on one database ...')
  const size = { projects: Math.min(projects, instanceProjects), charges: 0 }
  const site = await openSite(stage, { engine: 'PostgreSQL', size, instances: mostInstances, name: 'shared' })
  const { results, tally, faults } = await measureInstances(site, stage, { rounds, seconds })
  faults.push(...(await site.close(tally)))
  await stage.clear()
  return { results, faults }
}
