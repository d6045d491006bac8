import { availableParallelism } from 'node:os'
import { type InstancesResult, instanceConnections, instanceProjects } from '../scale/instances.ts'
import { running } from '../scale/server-waits.ts'
import { fixed, number, table } from './table.ts'

/** From this share on the machine has nothing left to give. */
const busyShare = 0.9
const shownWaits = 3

/** How calls are spread over more gateways on one PostgreSQL, and what limits them. */
export const instancesSection = (results: readonly InstancesResult[]): string => `## Gateways on one PostgreSQL

${instanceConnections} connections in all, and ${number(instanceProjects)} projects. A project's calls reach any gateway, or one, as with the shipped HAProxy. The gateways,
the database and the load generators share the ${availableParallelism()} cores of this one machine; the columns say how many each used. Sessions are those at work in the
server on average, and what most of them waited for.

${table(
  [
    'gateways',
    'a project has',
    'calls a second',
    'of one',
    'p99 ms',
    'cores: gateways',
    'server',
    'load',
    'sessions',
    '',
  ],
  results.map((result) => {
    const { instances, spread, callsPerSecond, p99Ms, cores, waits } = result
    return [
      String(instances),
      spread ?? '–',
      number(callsPerSecond),
      fixed(callsPerSecond / results[0]!.callsPerSecond, 2),
      p99Ms.toFixed(1),
      ...[cores.gateways, cores.server, cores.generators].map((used) => used.toFixed(1)),
      sum(waits).toFixed(1),
      mostWaits(result)
        .slice(0, shownWaits)
        .map(([wait, sessions]) => `${wait} ${sessions.toFixed(1)}`)
        .join(', '),
    ]
  }),
  2,
)}

${limitLine(results.at(-1)!)}`

/** What keeps most gateways from serving more. */
export function limitLine(result: InstancesResult): string {
  const { instances, cores, busy: used, waits } = result
  const what = `What limits ${instances} gateways here:`
  if (used >= busyShare) {
    const { gateways, server, generators } = cores
    const each = `the gateways ${gateways.toFixed(1)}, the server ${server.toFixed(1)}, the load generators ${generators.toFixed(1)}`
    return `${what} the ${availableParallelism()} cores of this machine, of which ${Math.round(used * 100)} % are used: ${each}.`
  }
  const [wait, sessions] = mostWaits(result).find(([name]) => name !== running && !name.startsWith('Client ')) ?? []
  if (wait === undefined)
    return `${what} neither the cores, of which ${Math.round(used * 100)} % are used, nor a wait of the server.`
  return `${what} the server's \`${wait}\`, for which ${sessions!.toFixed(1)} of ${sum(waits).toFixed(1)} sessions at work wait; ${Math.round(used * 100)} % of the cores are used.`
}

const mostWaits = ({ waits }: InstancesResult) =>
  [...waits].filter(([, sessions]) => sessions >= 0.05).toSorted(([, a], [, b]) => b - a)
const sum = (waits: InstancesResult['waits']) => [...waits.values()].reduce((total, sessions) => total + sessions, 0)
