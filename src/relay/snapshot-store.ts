import { dayMs } from '../base/time.ts'
import type { Item } from '../contract/schemas/products.ts'
import type { Engine } from '../storage/engine.ts'
import type { SnapshotReader } from './operations/operation.ts'

export interface SnapshotBounds {
  readonly days: number
  readonly perProject: number
}

export interface SnapshotPruner {
  /** Removes at most `limit` expired items; returns how many. */
  pruneOld(limit: number): Promise<number>
  /** Removes a project's oldest items beyond its limit. */
  pruneExcess(projectId: string): Promise<number>
}

/** Items that searches returned to a project, readable only by that project. The settling batch writes them. */
export function createSnapshotStore(deps: {
  engine: Engine
  clock: () => number
  bounds: SnapshotBounds
}): SnapshotReader & SnapshotPruner {
  const { engine, clock, bounds } = deps
  const oldest = () => clock() - bounds.days * dayMs
  return {
    find: (projectId, refs) =>
      engine.read(async (tx) => {
        const items: Item[] = []
        for (const { provider, productId } of refs) {
          const row = await tx.get<{ item: string }>(
            'SELECT item FROM snapshots WHERE project_id = $1 AND provider = $2 AND product_id = $3 AND shown_at > $4',
            [projectId, provider, productId, oldest()],
          )
          if (row) items.push(JSON.parse(row.item) as Item)
        }
        return items
      }),
    pruneOld: (limit) =>
      engine.write((tx) =>
        tx.run(
          `DELETE FROM snapshots WHERE (project_id, provider, product_id) IN (
            SELECT project_id, provider, product_id FROM snapshots WHERE shown_at <= $1 ORDER BY shown_at LIMIT $2)`,
          [oldest(), limit],
        ),
      ),
    pruneExcess: (projectId) =>
      engine.write((tx) =>
        tx.run(
          `DELETE FROM snapshots WHERE project_id = $1 AND shown_at < (
            SELECT shown_at FROM snapshots WHERE project_id = $1 ORDER BY shown_at DESC LIMIT 1 OFFSET $2)`,
          [projectId, bounds.perProject - 1],
        ),
      ),
  }
}
