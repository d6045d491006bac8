export type {
  Charge,
  ChatChunk,
  Key,
  MediaJob,
  MediaRequest,
  Requests,
  Responses,
  WebhookEvent,
} from './contract.ts'
export {
  BudgetReached,
  CallAborted,
  Conflict,
  ConnectionError,
  Forbidden,
  GatewayError,
  InvalidRequest,
  JobFailed,
  OutOfCredits,
  ProviderError,
  RateLimited,
  ReviewPending,
  Unauthorized,
  type WaitOptions,
  WebhookVerificationError,
} from './errors.ts'
export {
  type ChatMessage,
  Gateway,
  type JobWaitOptions,
  type OperationCall,
  type Pending,
  type StreamRequest,
  type WithResponse,
} from './gateway.ts'
export type { CallOptions, GatewayOptions } from './transport.ts'
export {
  type Jwk,
  type Jwks,
  type Verification,
  type VerificationStep,
  type VerifyOptions,
  type VerifyStatementOptions,
  verifyConsistency,
  verifyReceipt,
  verifyStatement,
} from './verify.ts'
