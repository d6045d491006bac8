import { dayOf, minuteMs } from '../../../base/time.ts'
import type { FeatureContext } from '../../../ops/feature.ts'
import type { Engine } from '../../../storage/engine.ts'
import { writeWithEvents } from '../../../storage/event-rows.ts'
import { placeholders } from '../../../storage/sql-text.ts'
import type { CheckpointPublisher } from './publisher.ts'

interface DailyDeps extends Pick<FeatureContext, 'clock' | 'onEvents'> {
  readonly engine: Engine
  readonly publisher: Pick<CheckpointPublisher, 'current' | 'isSound'>
}

const projectsPerCommit = 100
/** A failover may lose what was sent. */
const lookAgainMs = 10 * minuteMs

/**
 * Sends every project that has entries the checkpoint, once a day, so that every payer is a witness. The day is in the row of the
 * project, so that only one instance sends it.
 */
export function createDailyCheckpoints({ engine, publisher, clock, onEvents }: DailyDeps) {
  /** A look reads the rows of all projects. Once all have their checkpoint, those that are new are due on the next day only. */
  let sent = { logNumber: 0, day: 0, until: 0 }
  return async (): Promise<void> => {
    const published = publisher.current()
    if (!published || !publisher.isSound()) return
    const { logNumber, note: checkpoint, size: treeSize } = published
    const at = clock()
    const today = dayOf(at)
    if (sent.logNumber === logNumber && sent.day === today && at < sent.until) return
    for (;;) {
      const due = await engine.read((tx) =>
        tx.all<{ projectId: string }>(selectDue, [logNumber, today, projectsPerCommit]),
      )
      if (due.length === 0) {
        sent = { logNumber, day: today, until: at + lookAgainMs }
        return
      }
      const ids = due.map(({ projectId }) => projectId)
      await writeWithEvents(engine, onEvents, async (tx, add) => {
        const due = await tx.all<{ projectId: string }>(
          `UPDATE transparency_progress SET told_day = $2 WHERE log_number = $1 AND told_day < $2
            AND project_id IN (${placeholders(ids, 3)}) RETURNING project_id AS "projectId"`,
          [logNumber, today, ...ids],
        )
        for (const { projectId } of due) {
          await add({ type: 'transparency.checkpoint', at, projectId, data: { checkpoint, treeSize } })
        }
      })
    }
  }
}

const selectDue = `SELECT project_id AS "projectId" FROM transparency_progress
  WHERE log_number = $1 AND told_day < $2 ORDER BY project_id LIMIT $3`
