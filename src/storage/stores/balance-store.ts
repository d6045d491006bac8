import type { Credits } from '../../contract/schemas/account.ts'
import type { Engine } from '../engine.ts'

export const createCreditsReader =
  (engine: Engine) =>
  (projectId: string): Promise<Credits> =>
    engine.read(async (tx) => {
      const row = await tx.get<Credits>('SELECT available, reserved FROM balances WHERE project_id = $1', [projectId])
      return row ?? { available: 0, reserved: 0 }
    })
