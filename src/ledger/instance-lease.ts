/** Shows the other instances that this one is alive. They recover its charges once its lease has expired. */
export interface InstanceLease {
  readonly instanceId: string
  /** Resolves when the lease is held. */
  start(): Promise<void>
  /** Gives up the lease, so that others need not wait for it to expire. */
  stop(): Promise<void>
  /** False as soon as the lease may have expired; no call may be admitted then. */
  isHeld(): boolean
  /**
   * True once this instance has held its own lease for a full period without a gap. Whatever kept it from renewing, such as
   * a suspended machine or a database that was away, may have kept the others from it too; they need that time to renew.
   */
  canRecoverOthers(): boolean
  /** The instances that hold a lease, including this one. */
  liveInstances(): Promise<string[]>
}

export interface LeaseTiming {
  readonly leaseMs: number
  readonly renewMs: number
}
