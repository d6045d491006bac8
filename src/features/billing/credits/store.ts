import { approvalWrites } from '../../../operator-kit/approvals.ts'
import { createActionStore } from '../../../operator-kit/store.ts'
import { lockBalance } from '../../../storage/balance-rows.ts'
import type { Engine, Writer } from '../../../storage/engine.ts'
import { movementReads } from '../../../storage/movement-rows.ts'

const writes = (tx: Writer) => ({
  ...approvalWrites(tx),
  lockBalance: (projectId: string) => lockBalance(tx, projectId),
  ...movementReads(tx),
})

export type MovementWriter = ReturnType<typeof writes>

export const operatedMovements = (engine: Pick<Engine, 'read' | 'write'>) =>
  createActionStore(engine, () => ({}), writes)
