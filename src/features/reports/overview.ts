import { dayOf } from '../../base/time.ts'
import type { Overview } from './contract.ts'
import type { ReportStore } from './ports.ts'

export type ProjectOverview = Omit<Overview, 'baseUrl' | 'smsInboxUrl' | 'paymentMode'>

/** Where a project stands now. */
export async function overviewOf(store: ReportStore, projectId: string, now: number): Promise<ProjectOverview> {
  const today = dayOf(now)
  const standing = await store.standing(projectId, today - 29)
  const { available, reserved, underWay, inReview, hasKey, hasCall } = standing
  const ofLast = (days: number) => standing.settled.filter(({ day }) => day > today - days)
  const spent = (days: number) => ofLast(days).reduce((sum, { credits }) => sum + credits, 0)
  const last7Days = spent(7)
  return {
    credits: { available, reserved },
    bought: standing.credited,
    held: [
      { state: 'reserved', ...underWay },
      { state: 'manual_review', ...inReview },
    ],
    spent: { today: spent(1), last7Days, last30Days: spent(30) },
    callsToday: ofLast(1).reduce((sum, { calls }) => sum + calls, 0),
    runwayDays: last7Days === 0 ? null : Math.floor((available * 7) / last7Days),
    firstSteps: { hasOrder: standing.credited > 0, hasKey, hasCall },
  }
}
