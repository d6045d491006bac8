import type { Goal } from './goals.ts'

/** More than this share above the published ratio is a call that has become dearer. */
const allowed = 0.1

/** The contestants whose processor time is compared. */
export const gateContestants = [
  'fastify-echo',
  'fastify-relay',
  'local-sqlite',
  'local-postgres',
  'relay-sqlite',
  'replay',
]

/** Compares the CPU ratios of this run with those of a published table. */
export function gateFaults(goals: readonly Goal[], published: string): string[] {
  return goals.flatMap(({ text, measured }) => {
    const before = publishedRatio(published, text)
    if (!text.startsWith('CPU of ') || measured === null || before === null) return []
    const most = before * (1 + allowed)
    return measured > most ? [`${text}: ${measured.toFixed(2)}, published ${before.toFixed(2)}`] : []
  })
}

function publishedRatio(table: string, text: string): number | null {
  const row = table.split('\n').find((line) => line.startsWith(`| ${text} |`))
  const measured = row?.split('|')[3]?.trim()
  return measured !== undefined && /^\d+\.\d+$/.test(measured) ? Number(measured) : null
}
