import type { Group } from '../contestants/contestant.ts'
import { shareOf } from '../goals.ts'
import type { Measured } from '../measure.ts'
import { barChart } from './bar-chart.ts'
import type { Machine } from './machine.ts'

const colors: Record<Group, string> = { limit: '#8b949e', peer: '#d29922', ours: '#2f81f7' }
const legend = [
  { label: 'bare servers', color: colors.limit },
  { label: 'peers', color: colors.peer },
  { label: 'this gateway', color: colors.ours },
]

/** Throughput at 64 connections of everybody, as a share of the bare Fastify echo. */
export function benchChart(all: readonly Measured[], { date, cpu }: Machine): string {
  return barChart({
    title: 'Throughput at 64 connections, bare Fastify echo = 1',
    subtitle: `${cpu}, ${date} UTC; median of rounds side by side`,
    legend,
    mark: 1,
    bars: all.flatMap(({ contestant: { id, name, group } }) => {
      const share = shareOf(all, id, 'fastify-echo')
      return share === null ? [] : [{ label: name, value: share, text: share.toFixed(2), color: colors[group] }]
    }),
  })
}
