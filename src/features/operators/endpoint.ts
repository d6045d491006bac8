import { operationsById } from '../../http/endpoint.ts'
import type { Call, ReadRequest, Route, RouteResponse } from '../../http/route.ts'
import * as kit from '../../operator-kit/endpoint.ts'
import type { OperatorGuard } from '../../operator-kit/guard.ts'
import type { OperatorOperation } from '../../operator-kit/operation.ts'
import { apiOperations, monitoringOperations } from './contract.ts'

const operation = operationsById<OperatorOperation>([...apiOperations, ...monitoringOperations])

export const openEndpoint = <B = never>(
  id: string,
  handle: (call: Call, read: ReadRequest<B>) => Promise<RouteResponse> | RouteResponse,
): Route => kit.openEndpoint(operation(id), handle)

export const operatorEndpoint = <B = unknown, Q extends object = object>(
  guard: OperatorGuard,
  id: string,
  handle: (given: kit.SignedCall<B, Q>) => Promise<RouteResponse> | RouteResponse,
): Route => kit.operatorEndpoint(guard, operation(id), handle)
