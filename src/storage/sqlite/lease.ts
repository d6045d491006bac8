import type { InstanceLease } from '../../relay/ports.ts'

/** The instance lock serves as the lease: while this process runs, every other instance is dead. */
export function createSqliteLease(instanceId: string): InstanceLease {
  let isHeld = false
  return {
    instanceId,
    start: async () => {
      isHeld = true
    },
    stop: async () => {
      isHeld = false
    },
    isHeld: () => isHeld,
    canRecoverOthers: () => true,
    liveInstances: async () => [instanceId],
  }
}
