import type { Group } from '../contestants/contestant.ts'
import { shareOf } from '../goals.ts'
import type { Measured } from '../measure.ts'
import { barChart } from './bar-chart.ts'
import { isBusy, type Machine } from './machine.ts'

const colors: Record<Group, string> = { limit: '#8b949e', peer: '#d29922', ours: '#2f81f7' }
const legend = [
  { label: 'bare servers', color: colors.limit },
  { label: 'peers', color: colors.peer },
  { label: 'this gateway', color: colors.ours },
]

/** Throughput of all contestants at 64 connections, relative to the bare Fastify echo. */
export function benchChart(all: readonly Measured[], machine: Machine): string {
  const { date, cpu } = machine
  const caution = isBusy(machine) ? '; others were at work' : ''
  return barChart({
    title: 'Throughput at 64 connections, bare Fastify echo = 1',
    subtitle: `${cpu}, ${date} UTC; median of rounds side by side${caution}`,
    legend,
    mark: 1,
    bars: all.flatMap(({ contestant: { id, name, group } }) => {
      const share = shareOf(all, id, 'fastify-echo')
      // The upstream is not comparable: it only looks for the end of each request.
      return share === null || id === 'upstream'
        ? []
        : [{ label: name, value: share, text: share.toFixed(2), color: colors[group] }]
    }),
  })
}
