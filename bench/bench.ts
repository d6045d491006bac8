import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Contestant } from './contestants/contestant.ts'
import { startCommand } from './contestants/gateway-server.ts'
import { scenarios, startGatewayContestant } from './contestants/gateways.ts'
import { installPeers, nginxVersion, peerVersion, startNginx, startPortkey } from './contestants/peers.ts'
import { startFastifyEcho, startFastifyRelay, startNodeEcho, startUpstream } from './contestants/plain.ts'
import { checkOutPublished, compareCosts, gateContestants, gateTable, publishedId } from './gate.ts'
import { judgeGoals } from './goals.ts'
import { measure } from './measure.ts'
import { readOptions } from './options.ts'
import { benchChart } from './report/bench-chart.ts'
import { benchReport, goalTable } from './report/bench-report.ts'
import { describeMachine, machineLines, packageVersion } from './report/machine.ts'
import { publish, resultName } from './report/publish.ts'
import { openStage } from './stage.ts'
import { streamFigures, streamTable } from './stream-figures.ts'

/** Compares the gateway with bare servers and its peers, or with the published build, in one run on one machine. */
const given = readOptions()
const options = given.isGate ? { ...given, only: gateContestants } : given
const stage = await openStage(installPeers)
const machine = describeMachine(stage.workDir)
const nginx = nginxVersion()
const logFile = options.keepsLog ? join(stage.workDir, 'gateway.log') : null
const report = new URL(`results/${resultName}.md`, import.meta.url)
const published = options.isGate
  ? checkOutPublished(readFileSync(report, 'utf8'), join(stage.workDir, 'published'))
  : null

async function startContestants(): Promise<Contestant[]> {
  const isWanted = (id: string) => options.only.length === 0 || options.only.includes(id)
  const upstream = await startUpstream()
  const upstreamOrigin = upstream.plan('').origin
  const started = [upstream]
  const join = async (id: string, start: () => Promise<Contestant>) => {
    if (isWanted(id)) started.push(await start())
  }
  await join('node-echo', startNodeEcho)
  await join('fastify-echo', startFastifyEcho)
  await join('fastify-relay', () => startFastifyRelay(upstreamOrigin))
  if (nginx) await join('nginx', () => startNginx(upstreamOrigin, stage.workDir, nginx))
  await join('portkey', () => {
    installPeers()
    return startPortkey(upstreamOrigin)
  })
  const around = { ...stage, upstreamOrigin, logFile }
  for (const scenario of scenarios) {
    await join(scenario.id, () => startGatewayContestant(scenario, around))
    if (!published) continue
    const earlier = { ...scenario, id: publishedId(scenario.id), name: `${scenario.name}, ${published.commit}` }
    await join(earlier.id, () => startGatewayContestant(earlier, { ...around, build: published.root }))
  }
  return started
}

const notes = () => [
  `versions: Node ${process.versions.node}, Fastify ${packageVersion('fastify')}, undici ${packageVersion('undici')}, Portkey gateway ${peerVersion('@portkey-ai/gateway')}, nginx ${nginx ?? 'not installed, takes no part'}, load by ${stage.generator.name}`,
  `the gateway runs as \`${startCommand}\` with LOG_LEVEL=info to ${logFile ? 'a file' : '/dev/null'}, 64 projects of one key each; the other servers log nothing`,
  'stores: SQLite in WAL with synchronous=FULL, PostgreSQL 18 with fsync=on, both on the disk above',
]

const contestants = await startContestants()
const measured = await measure(contestants, stage.generator, {
  ...options,
  // After 3 seconds the relays were still a sixth slower than after 8.
  warmUpSeconds: options.isQuick ? 1 : 8,
})
console.log('\nchecking the books ...')
for (const { contestant, tally, faults } of measured) faults.push(...(await contestant.finish(tally)))
await stage.clear()

if (published) {
  const costs = compareCosts(measured)
  console.log(`\n${gateTable(costs, published)}`)
  const faults = measured.flatMap((one) => one.faults)
  for (const fault of faults) console.log(fault)
  process.exit(faults.length === 0 && costs.every(({ isDearer }) => !isDearer) ? 0 : 1)
}

console.log('measuring streams ...')
const streams = `## Streams\n\n${streamTable(await streamFigures())}\n`
const markdown = `${benchReport({ measured, machine, notes: notes(), options })}\n${streams}`
const goals = goalTable(judgeGoals(measured, machine.syncMs))
const file = await publish({
  name: resultName,
  markdown,
  chart: benchChart(measured, machine),
  summary: `${machineLines(machine).join('\n')}\n\n${goals}`,
  isQuick: options.isQuick || options.only.length > 0,
})
console.log(`\n${markdown}\nwritten to ${file}`)
process.exit(measured.every(({ faults }) => faults.length === 0) ? 0 : 1)
