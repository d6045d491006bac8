import type { Logger } from 'pino'
import type { Keyring } from '../base/keyring.ts'
import type { Config } from '../config/config.ts'
import type { Operation } from '../contract/operation.ts'
import type { ChargedOperation } from '../contract/prices.ts'
import type { FinishedRequest } from '../http/request-log.ts'
import type { KnownKey, Route } from '../http/route.ts'
import type { InstanceLease } from '../ledger/instance-lease.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { ApprovalHandler } from '../operator-kit/approvals.ts'
import type { OperatorHandler } from '../operator-kit/endpoint.ts'
import type { OperatorOperation } from '../operator-kit/operation.ts'
import type { OpenedEngine } from '../storage/open-engine.ts'
import type { Task } from './maintenance.ts'
import type { Metrics } from './metrics.ts'
import type { SealedKind } from './secrets.ts'
import type { Tracing } from './tracing.ts'

export interface FeatureContext {
  readonly config: Config
  readonly logger: Logger
  readonly clock: () => number
  readonly engine: OpenedEngine
  readonly instanceId: string
  readonly keyring: Keyring
  readonly ledger: Ledger
  readonly lease: InstanceLease
  readonly tracing: Tracing | undefined
  /** An operation of the contract. A missing one fails the start. */
  readonly operation: (id: string) => Operation
  /** To call after a commit that wrote events. */
  readonly onEvents: () => void
  /** To call for every charge that was settled. */
  readonly onSettled: (charge: { readonly operation: ChargedOperation; readonly credits: number }) => void
}

/** What the actions of operators need: no secret, no other feature. */
export type OperatorContext = Pick<FeatureContext, 'config' | 'engine' | 'ledger' | 'clock'>

/** What operators can do with a feature that was not built: a command loads it alone, which is faster than the whole gateway. */
export interface OperatorPart {
  readonly operations: readonly OperatorOperation[]
  readonly build: (context: OperatorContext) => OperatorParts | Promise<OperatorParts>
}

type OperatorParts = Pick<FeatureParts, 'operatorHandlers' | 'close'>

/** Works in the background from the start to the stop of the gateway. */
export interface Worker {
  readonly start: () => void
  readonly stop: () => Promise<unknown>
}

/** What the application runs for a feature. */
export interface FeatureParts {
  /** Of the public listener. */
  readonly routes?: readonly Route[]
  /** Serve its part of the operator contract; the operator listener checks session, role and request. */
  readonly operatorHandlers?: readonly OperatorHandler[]
  /** Carry out what it requested a second operator for. */
  readonly approvalHandlers?: readonly ApprovalHandler[]
  readonly workers?: readonly Worker[]
  readonly tasks?: readonly Task[]
  /** Called after the response to a call with an API key that got an error code. */
  readonly onFailedCall?: (request: FinishedRequest, key: KnownKey) => void
  readonly registerMetrics?: (metrics: Metrics) => void
  /** Ends the responses that are still being streamed, because the time to drain is over; returns how many there are. */
  readonly endStreams?: () => number
  /** Ends the calls that wait for a provider; their outcomes are still recorded. */
  readonly close?: () => Promise<unknown>
  /** How many calls are not recorded yet. */
  readonly underWay?: () => number
  /** Called once nothing is in progress any more, before the store closes. */
  readonly finish?: () => Promise<unknown>
}

export interface Feature<
  Deps,
  Parts extends FeatureParts,
  Added extends readonly Operation[],
  Operated extends readonly OperatorOperation[],
> {
  readonly name: string
  readonly consoleOperations?: Added
  readonly operatorOperations?: Operated
  /** What it keeps sealed in the store, and how to seal it anew. */
  readonly sealed?: (keyring: Keyring) => readonly SealedKind[]
  readonly build: (context: FeatureContext, deps: Deps) => Parts
}

/** A capability: its parts of the contracts, and how to build everything that serves them. */
export const defineFeature = <
  Deps,
  Parts extends FeatureParts,
  Added extends readonly Operation[] = readonly [],
  Operated extends readonly OperatorOperation[] = readonly [],
>(
  feature: Feature<Deps, Parts, Added, Operated>,
): Feature<Deps, Parts, Added, Operated> => feature
