// Made from the contract: kByeXjHE7z_7qYNt61JYW_m4DPtBbqcrYUYsvPBAxGk
export interface paths {
  '/sign-in': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign in
     * @description With name, password and where needed a one-time code, or with the token of a one-time sign-in link. The session ends after 30 minutes without activity and after 12 hours. Right and wrong attempts are in the audit log.
     */
    post: operations['operator.sign_in']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/me': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See who is signed in
     * @description See who is signed in.
     */
    get: operations['operator.me']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/sign-out': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign out
     * @description Sign out.
     */
    post: operations['operator.sign_out']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/me/password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change your password
     * @description Ends your other sessions. Until the first password is changed, only this and signing out work.
     */
    post: operations['operator.password']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/me/totp': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replace the secret of your one-time codes
     * @description Codes of the former secret are refused from now on.
     */
    post: operations['operator.totp']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/me/totp/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Confirm the secret of your one-time codes
     * @description With a first code. On a public origin nothing else works before. Five wrong codes in a row lock the operator until a reset.
     */
    post: operations['operator.totp.confirm']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/overview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See what happens now
     * @description Made to be asked every 2 seconds: each instance computes it at most once a second for everybody. Asking does not keep the session alive.
     */
    get: operations['operator.overview']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/accounts/find': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Find accounts
     * @description Find accounts.
     */
    post: operations['operator.accounts.find']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/accounts/{accountId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Show an account
     * @description Show an account.
     */
    get: operations['operator.accounts.show']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/accounts/{accountId}/ledger': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the ledger of an account
     * @description List the ledger of an account.
     */
    get: operations['operator.accounts.ledger']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/accounts/{accountId}/orders': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the orders of an account
     * @description List the orders of an account.
     */
    get: operations['operator.accounts.orders']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/accounts/{accountId}/charges': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the charges of an account
     * @description List the charges of an account.
     */
    get: operations['operator.accounts.charges']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/accounts/{accountId}/sign-ins': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the active sign-ins of an account
     * @description List the active sign-ins of an account.
     */
    get: operations['operator.accounts.sign_ins']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/accounts/{accountId}/suspend': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Suspend an account
     * @description Ends its sessions and refuses its logins and keys from the next call on, on every instance. Calls under way finish. Needs the role `support` or a higher one.
     */
    post: operations['operator.accounts.suspend']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/accounts/{accountId}/reinstate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Reinstate an account
     * @description Lets it log in and call again. Needs the role `support` or a higher one.
     */
    post: operations['operator.accounts.reinstate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/accounts/{accountId}/sign-out': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * End all sessions of an account
     * @description Its keys keep working. Needs the role `support` or a higher one.
     */
    post: operations['operator.accounts.sign_out']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/accounts/{accountId}/recover': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Start a password recovery
     * @description Sends a code to the phone of the account, and answers with the link where it is used. No operator sees the code, and none sets a password. Needs the role `support` or a higher one.
     */
    post: operations['operator.accounts.recover']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/keys/{keyId}/revoke': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Revoke a key
     * @description Revoke a key. Needs the role `support` or a higher one.
     */
    post: operations['operator.keys.revoke']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credits/grant': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Grant credits
     * @description Adds credits to a project: for a bank transfer, or as goodwill. A repeat with the same reference and number is answered with the first result; with another number it is refused. A reference that was used before in another project or spelling is refused and the earlier movement named, unless `again` is true. Above `operators.approvalAboveCredits` it waits for a second operator (202); so does one with which the operator would move, or in the project would be moved, more than that within 24 hours without an approval. Needs the role `treasurer` or a higher one.
     */
    post: operations['operator.credits.grant']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/credits/withdraw': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Withdraw credits
     * @description Takes available credits back: after a mistaken grant, or for a refund made elsewhere. A repeat with the same reference and number is answered with the first result; with another number it is refused. A reference that was used before in another project or spelling is refused and the earlier movement named, unless `again` is true. Above `operators.approvalAboveCredits` it waits for a second operator (202); so does one with which the operator would move, or in the project would be moved, more than that within 24 hours without an approval. Needs the role `treasurer` or a higher one.
     */
    post: operations['operator.credits.withdraw']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/approvals': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List grants and withdrawals that need a second operator
     * @description The oldest first.
     */
    get: operations['operator.approvals.list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/approvals/{approvalId}/approve': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Approve a request of another operator
     * @description Nobody approves their own request, nor does an operator who was added or reset after it or by whoever made it. Needs the role `treasurer` or a higher one.
     */
    post: operations['operator.approvals.approve']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/approvals/{approvalId}/reject': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Reject a request
     * @description Whoever made it may withdraw it in this way. Needs the role `treasurer` or a higher one.
     */
    post: operations['operator.approvals.reject']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/reviews': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the calls in review
     * @description The oldest first.
     */
    get: operations['operator.reviews.list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/reviews/decide': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Settle or release calls in review
     * @description Each call is decided by itself: one that cannot be decided does not keep the others from it. Needs the role `support` or a higher one.
     */
    post: operations['operator.reviews.decide']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/providers': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the providers
     * @description List the providers.
     */
    get: operations['operator.providers.list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/providers/{kind}/{name}/take-out': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Take a provider out of service
     * @description On all instances, within about a second. New calls are answered PROVIDER_DISABLED and cost nothing; calls under way finish. Needs the role `support` or a higher one.
     */
    post: operations['operator.providers.take_out']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/providers/{kind}/{name}/put-back': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Put a provider back into service
     * @description Put a provider back into service. Needs the role `support` or a higher one.
     */
    post: operations['operator.providers.put_back']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/audit': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the audit log
     * @description List the audit log.
     */
    get: operations['operator.audit.list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/audit.csv': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Download the audit log as CSV
     * @description The oldest first, at most 100000 rows: a longer file ends with a line that says so. A cell that a spreadsheet could take for a formula begins with an apostrophe.
     */
    get: operations['operator.audit.csv']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/reconcile': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the last runs
     * @description List the last runs.
     */
    get: operations['operator.reconcile.list']
    put?: never
    /**
     * Start a run
     * @description It runs in the background, one at a time, and can be watched with GET. Needs the role `support` or a higher one.
     */
    post: operations['operator.reconcile.start']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/reconcile/{runId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Show a run and its differences
     * @description Show a run and its differences.
     */
    get: operations['operator.reconcile.show']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/settings': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the effective settings
     * @description List the effective settings.
     */
    get: operations['operator.settings']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/doctor': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See what doctor finds
     * @description See what doctor finds.
     */
    get: operations['operator.doctor']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operators': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the operators
     * @description List the operators.
     */
    get: operations['operator.operators.list']
    put?: never
    /**
     * Add an operator
     * @description Adds an operator with a first password. Where `operators.approvalAboveCredits` is set, an administrator or a treasurer is pending until a second administrator approves. Needs the role `admin` or a higher one.
     */
    post: operations['operator.operators.add']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operators/{name}/disable': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Disable an operator
     * @description Ends their sessions and refuses every sign-in until a reset. Needs the role `admin` or a higher one.
     */
    post: operations['operator.operators.disable']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operators/{name}/reset': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Give an operator a new first password and a new secret for one-time codes
     * @description Ends their sessions, and enables an operator who was disabled or locked. Where `operators.approvalAboveCredits` is set, an administrator or a treasurer is pending until a second administrator approves. Needs the role `admin` or a higher one.
     */
    post: operations['operator.operators.reset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operators/{name}/approve': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Approve a new or reset operator
     * @description Nobody approves their own request, nor does an operator who was added or reset after it or by whoever made it. Needs the role `admin` or a higher one.
     */
    post: operations['operator.operators.approve']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operators/{name}/reject': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Reject a new or reset operator
     * @description The operator is disabled. Whoever asked may take it back in this way. Needs the role `admin` or a higher one.
     */
    post: operations['operator.operators.reject']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    /**
     * AccountRecovery
     * @example {
     *       "link": "https://gateway.example.com/console/recover#challenge=gvc_5vX2mQ8rT1yW4zB7cD9eF3",
     *       "expiresAt": "2026-09-03T09:05:00.000Z"
     *     }
     */
    AccountRecovery: {
      /**
       * Format: uri
       * @description Where the customer enters the code and a new password. Worth nothing without the code: pass it on.
       */
      link: string
      /**
       * Format: date-time
       * @description When the code and the link expire.
       */
      expiresAt: string
    }
    /**
     * AccountSignIn
     * @example {
     *       "sessionId": "ses_9aB1cD3eF5gH7iJ9kL1mN3",
     *       "createdAt": "2026-09-03T08:00:00.000Z",
     *       "expiresAt": "2026-09-03T20:00:00.000Z"
     *     }
     */
    AccountSignIn: {
      sessionId: string
      /** Format: date-time */
      createdAt: string
      /** Format: date-time */
      expiresAt: string
    }
    /**
     * AccountSignIns
     * @example {
     *       "items": [
     *         {
     *           "sessionId": "ses_9aB1cD3eF5gH7iJ9kL1mN3",
     *           "createdAt": "2026-09-03T08:00:00.000Z",
     *           "expiresAt": "2026-09-03T20:00:00.000Z"
     *         }
     *       ]
     *     }
     */
    AccountSignIns: {
      /** @description Active sessions, the newest first. */
      items: components['schemas']['AccountSignIn'][]
    }
    /**
     * ActivityMinute
     * @example {
     *       "at": "2026-09-03T09:00:00.000Z",
     *       "calls": 120,
     *       "failed": 2,
     *       "credits": 354
     *     }
     */
    ActivityMinute: {
      /**
       * Format: date-time
       * @description When the minute began.
       */
      at: string
      /** @description Billable calls that were answered. */
      calls: number
      /** @description Of these, those answered with an error. */
      failed: number
      /** @description Credits settled by this instance. */
      credits: number
    }
    /**
     * ActivityOfCode
     * @example {
     *       "code": "INSUFFICIENT_PAID_CREDITS",
     *       "calls": 2
     *     }
     */
    ActivityOfCode: {
      code: string
      calls: number
    }
    /**
     * ActivityOfOperation
     * @example {
     *       "operation": "model.chat",
     *       "calls": 120,
     *       "failed": 2,
     *       "credits": 354,
     *       "latency": {
     *         "p50Ms": 4.2,
     *         "p95Ms": 11.8,
     *         "p99Ms": 25
     *       }
     *     }
     */
    ActivityOfOperation: {
      /** @enum {string} */
      operation:
        | 'agent.run'
        | 'model.chat'
        | 'shopping.search'
        | 'pick.compare'
        | 'pick.filter'
        | 'pick.links'
        | 'pick.prepurchase_review'
        | 'pick.recommend'
        | 'pick.search'
        | 'media.video'
      calls: number
      failed: number
      credits: number
      /** @description Null without a call. */
      latency: components['schemas']['LatencyPercentiles'] | null
    }
    /**
     * AddOperatorRequest
     * @example {
     *       "name": "mei",
     *       "role": "support",
     *       "reason": "Joined the team."
     *     }
     */
    AddOperatorRequest: {
      /** @description Else `OPERATOR_NAME_INVALID`. */
      name: string
      /**
       * @description Else `ROLE_INVALID`.
       * @enum {string}
       */
      role: 'viewer' | 'support' | 'treasurer' | 'admin'
      /** @description Why, in one line of at most 500 characters; it is stored in the audit log. Else `REASON_INVALID`. */
      reason: string
    }
    /**
     * Approval
     * @example {
     *       "id": "apv_0M1n2O3p4Q5r6S7t8U9v",
     *       "state": "pending",
     *       "kind": "grant",
     *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
     *       "credits": 50000,
     *       "reference": "bank transfer 20260903-119",
     *       "reason": "Paid by bank transfer.",
     *       "requestedBy": "mei",
     *       "requestedAt": "2026-09-03T09:00:00.000Z",
     *       "decidedBy": null,
     *       "decidedAt": null
     *     }
     */
    Approval: {
      id: string
      /** @enum {string} */
      state: 'pending' | 'approved' | 'rejected'
      /** @enum {string} */
      kind: 'grant' | 'withdraw'
      projectId: string
      credits: number
      reference: string
      reason: string
      requestedBy: string
      /** Format: date-time */
      requestedAt: string
      decidedBy: string | null
      decidedAt: string | null
    }
    /**
     * ApprovalCarriedOut
     * @example {
     *       "approval": {
     *         "id": "apv_0M1n2O3p4Q5r6S7t8U9v",
     *         "state": "approved"
     *       },
     *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
     *       "credits": 500,
     *       "reference": "bank transfer 20260903-118",
     *       "replayed": false,
     *       "balance": {
     *         "available": 1440,
     *         "reserved": 3
     *       }
     *     }
     */
    ApprovalCarriedOut: {
      approval: components['schemas']['ApprovalReference']
      projectId: string
      credits: number
      reference: string
      /** @description True if this reference was carried out before; nothing was moved again. */
      replayed: boolean
      balance: components['schemas']['BalanceAfter']
    }
    /**
     * ApprovalPage
     * @example {
     *       "items": [
     *         {
     *           "id": "apv_0M1n2O3p4Q5r6S7t8U9v",
     *           "state": "pending",
     *           "kind": "grant",
     *           "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
     *           "credits": 50000,
     *           "reference": "bank transfer 20260903-119",
     *           "reason": "Paid by bank transfer.",
     *           "requestedBy": "mei",
     *           "requestedAt": "2026-09-03T09:00:00.000Z",
     *           "decidedBy": null,
     *           "decidedAt": null
     *         }
     *       ],
     *       "nextAfter": null
     *     }
     */
    ApprovalPage: {
      items: components['schemas']['Approval'][]
      /** @description Send it as `after` for the next page; null when there is none. */
      nextAfter: string | null
    }
    /**
     * ApprovalPending
     * @example {
     *       "approval": {
     *         "id": "apv_0M1n2O3p4Q5r6S7t8U9v",
     *         "state": "pending"
     *       }
     *     }
     */
    ApprovalPending: {
      approval: components['schemas']['ApprovalReference']
    }
    /**
     * ApprovalReference
     * @example {
     *       "id": "apv_0M1n2O3p4Q5r6S7t8U9v",
     *       "state": "pending"
     *     }
     */
    ApprovalReference: {
      id: string
      /** @enum {string} */
      state: 'pending' | 'approved' | 'rejected'
    }
    /**
     * AuditItem
     * @example {
     *       "id": "aud_0M1n2O3p4Q5r6S7t8U9v",
     *       "at": "2026-09-03T09:00:00.000Z",
     *       "by": "mei",
     *       "via": "web",
     *       "action": "account.suspend",
     *       "object": "acc_5vX2mQ8rT1yW4zB7cD9eF3",
     *       "reason": "Reported as stolen.",
     *       "before": {
     *         "state": "active"
     *       },
     *       "after": {
     *         "state": "suspended",
     *         "sessionsEnded": 1
     *       },
     *       "seq": 118,
     *       "hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
     *     }
     */
    AuditItem: {
      id: string
      /** Format: date-time */
      at: string
      by: string
      /** @enum {string} */
      via: 'web' | 'command line'
      action: string
      /** @description The id acted on: an account, project, key, charge, operator or provider. */
      object: string
      reason: string
      /** @description What it was before; null if nothing was changed. */
      before: {
        [key: string]: string | number | boolean | null
      } | null
      /** @description What it is since. */
      after: {
        [key: string]: string | number | boolean | null
      } | null
      /** @description The number of the entry. */
      seq: number
      /** @description Covers this entry and the hash of the one before it. Keep a copy elsewhere; `audit verify --contains` checks it. */
      hash: string
    }
    /**
     * AuditItemPage
     * @example {
     *       "items": [
     *         {
     *           "id": "aud_0M1n2O3p4Q5r6S7t8U9v",
     *           "at": "2026-09-03T09:00:00.000Z",
     *           "by": "mei",
     *           "via": "web",
     *           "action": "account.suspend",
     *           "object": "acc_5vX2mQ8rT1yW4zB7cD9eF3",
     *           "reason": "Reported as stolen.",
     *           "before": {
     *             "state": "active"
     *           },
     *           "after": {
     *             "state": "suspended",
     *             "sessionsEnded": 1
     *           },
     *           "seq": 118,
     *           "hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
     *         }
     *       ],
     *       "nextAfter": null
     *     }
     */
    AuditItemPage: {
      items: components['schemas']['AuditItem'][]
      /** @description Send it as `after` for the next page; null when there is none. */
      nextAfter: string | null
    }
    /**
     * BalanceAfter
     * @example {
     *       "available": 1440,
     *       "reserved": 3
     *     }
     */
    BalanceAfter: {
      available: number
      reserved: number
    }
    /**
     * Charge
     * @example {
     *       "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
     *       "operation": "model.chat",
     *       "credits": 3,
     *       "state": "settled",
     *       "keyId": "key_3fQ7sJ8wMa2P",
     *       "keyDisplayPrefix": "gk_live_Ab3x...9TzK",
     *       "requestId": "req_4sH8cN2vXq6M",
     *       "reservedAt": "2026-09-03T08:10:00.000Z",
     *       "endedAt": "2026-09-03T08:10:00.412Z",
     *       "reason": null
     *     }
     */
    Charge: {
      chargeId: string
      /** @enum {string} */
      operation:
        | 'agent.run'
        | 'model.chat'
        | 'shopping.search'
        | 'pick.compare'
        | 'pick.filter'
        | 'pick.links'
        | 'pick.prepurchase_review'
        | 'pick.recommend'
        | 'pick.search'
        | 'media.video'
      /** @description The price; whether it was paid is told by the state. */
      credits: number
      /** @enum {string} */
      state: 'reserved' | 'settled' | 'released' | 'manual_review'
      keyId: string
      keyDisplayPrefix: string
      /** @description The X-Request-Id of the call. */
      requestId: string
      /** Format: date-time */
      reservedAt: string
      endedAt: string | null
      /** @description Why it was released or held for review. */
      reason: components['schemas']['ChargeReason'] | null
    }
    /**
     * ChargePage
     * @example {
     *       "items": [
     *         {
     *           "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
     *           "operation": "model.chat",
     *           "credits": 3,
     *           "state": "settled",
     *           "keyId": "key_3fQ7sJ8wMa2P",
     *           "keyDisplayPrefix": "gk_live_Ab3x...9TzK",
     *           "requestId": "req_4sH8cN2vXq6M",
     *           "reservedAt": "2026-09-03T08:10:00.000Z",
     *           "endedAt": "2026-09-03T08:10:00.412Z",
     *           "reason": null
     *         }
     *       ],
     *       "nextCursor": null
     *     }
     */
    ChargePage: {
      items: components['schemas']['Charge'][]
      /** @description Send it as `cursor` for the next page; null when there is none. */
      nextCursor: string | null
    }
    /**
     * ChargeReason
     * @example {
     *       "code": {},
     *       "text": {}
     *     }
     */
    ChargeReason: {
      /** @description The error code that the caller received, or why the outcome is uncertain. */
      code: string
      /** @description The meaning of the code, in English. */
      text: string
    }
    /**
     * ConfirmTotpRequest
     * @example {
     *       "totp": "492039"
     *     }
     */
    ConfirmTotpRequest: {
      /** @description Six digits. */
      totp: string
    }
    /**
     * CreditTotals
     * @description Of all projects and instances, at most 10 seconds old: bought + granted - withdrawn = spent + reserved + available.
     * @example {
     *       "bought": 100000,
     *       "granted": 500,
     *       "withdrawn": 0,
     *       "spent": 57000,
     *       "reserved": 3,
     *       "available": 43497
     *     }
     */
    CreditTotals: {
      bought: number
      granted: number
      withdrawn: number
      spent: number
      reserved: number
      available: number
    }
    /**
     * CreditsMoved
     * @example {
     *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
     *       "credits": 500,
     *       "reference": "bank transfer 20260903-118",
     *       "replayed": false,
     *       "balance": {
     *         "available": 1440,
     *         "reserved": 3
     *       }
     *     }
     */
    CreditsMoved: {
      projectId: string
      credits: number
      reference: string
      /** @description True if this reference was carried out before; nothing was moved again. */
      replayed: boolean
      balance: components['schemas']['BalanceAfter']
    }
    /**
     * DecideReviewsRequest
     * @example {
     *       "chargeIds": [
     *         "chg_0M1n2O3p4Q5r6S7t8U9v"
     *       ],
     *       "decision": "released",
     *       "reason": "The provider has no record of the call."
     *     }
     */
    DecideReviewsRequest: {
      /** @description Else `CHARGES_INVALID`. */
      chargeIds: string[]
      /**
       * @description settled: the credits are spent. released: they are available again. Else `DECISION_INVALID`.
       * @enum {string}
       */
      decision: 'settled' | 'released'
      /** @description Why, in one line of at most 500 characters; it is stored in the audit log. Else `REASON_INVALID`. */
      reason: string
    }
    /**
     * DecidedReviewItem
     * @example {
     *       "chargeId": "chg_0M1n2O3p4Q5r6S7t8U9v",
     *       "decision": "released",
     *       "error": null,
     *       "earlier": null
     *     }
     */
    DecidedReviewItem: {
      chargeId: string
      /** @description Null if it was not decided now. */
      decision: ('settled' | 'released') | null
      /** @description Why not. */
      error: {
        code: string
        message: string
      } | null
      /** @description The decision of the operator who was first. */
      earlier: components['schemas']['EarlierDecision'] | null
    }
    /**
     * DecidedReviews
     * @example {
     *       "items": [
     *         {
     *           "chargeId": "chg_0M1n2O3p4Q5r6S7t8U9v",
     *           "decision": "released",
     *           "error": null,
     *           "earlier": null
     *         },
     *         {
     *           "chargeId": "chg_0M1n2O3p4Q5r6S7t8U9w",
     *           "decision": null,
     *           "error": {
     *             "code": "NOT_IN_REVIEW",
     *             "message": "chg_0M1n2O3p4Q5r6S7t8U9w is already settled, decided by ada at 2026-09-03T09:00:00.000Z: It was delivered."
     *           },
     *           "earlier": {
     *             "decision": "settled",
     *             "by": "ada",
     *             "at": "2026-09-03T09:00:00.000Z",
     *             "reason": "It was delivered."
     *           }
     *         }
     *       ]
     *     }
     */
    DecidedReviews: {
      /** @description One for each charge, in the order of the request. */
      items: components['schemas']['DecidedReviewItem'][]
    }
    /**
     * DoctorFinding
     * @example {
     *       "check": "store",
     *       "level": "ok",
     *       "what": "the store responds and is writable",
     *       "remedy": null
     *     }
     */
    DoctorFinding: {
      check: string
      /** @enum {string} */
      level: 'ok' | 'warning' | 'failure'
      what: string
      remedy: string | null
    }
    /**
     * DoctorReport
     * @example {
     *       "checkedAt": "2026-09-03T09:00:00.000Z",
     *       "isHealthy": true,
     *       "findings": [
     *         {
     *           "check": "store",
     *           "level": "ok",
     *           "what": "the store responds and is writable",
     *           "remedy": null
     *         }
     *       ]
     *     }
     */
    DoctorReport: {
      /** Format: date-time */
      checkedAt: string
      isHealthy: boolean
      findings: components['schemas']['DoctorFinding'][]
    }
    /**
     * EarlierDecision
     * @example {
     *       "decision": "settled",
     *       "by": "ada",
     *       "at": "2026-09-03T09:00:00.000Z",
     *       "reason": "It was delivered."
     *     }
     */
    EarlierDecision: {
      /** @enum {string} */
      decision: 'settled' | 'released'
      by: string
      /** Format: date-time */
      at: string
      reason: string
    }
    /**
     * EffectiveSetting
     * @example {
     *       "key": "GATEWAY_ORIGIN",
     *       "value": "https://gateway.example"
     *     }
     */
    EffectiveSetting: {
      /** @description As in docs/configuration.md. */
      key: string
      /** @description A secret is shown as "set" or "not set". */
      value: string | number | boolean | null
    }
    /**
     * EffectiveSettings
     * @example {
     *       "items": [
     *         {
     *           "key": "GATEWAY_ORIGIN",
     *           "value": "https://gateway.example"
     *         },
     *         {
     *           "key": "GATEWAY_SECRET",
     *           "value": "set"
     *         },
     *         {
     *           "key": "limits.callsPerKey.max",
     *           "value": 6000
     *         }
     *       ]
     *     }
     */
    EffectiveSettings: {
      items: components['schemas']['EffectiveSetting'][]
    }
    /**
     * EmptyRequest
     * @example {}
     */
    EmptyRequest: Record<string, never>
    /**
     * FindAccountsRequest
     * @description Exactly one of these. They are personal, so they are never in a URL.
     * @example {
     *       "phone": "13800000001"
     *     }
     */
    FindAccountsRequest: {
      /** @description A whole phone number. Else `QUERY_INVALID`. */
      phone?: string
      /** @description A whole recovery email. Else `QUERY_INVALID`. */
      email?: string
      /** @description The id of an account, a project or a key. Else `QUERY_INVALID`. */
      id?: string
      /** @description The start of an API key. Else `QUERY_INVALID`. */
      keyPrefix?: string
    }
    /**
     * FoundAccount
     * @example {
     *       "accountId": "acc_5vX2mQ8rT1yW4zB7cD9eF3",
     *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
     *       "state": "active",
     *       "phoneMasked": "138****0001",
     *       "recoveryEmailMasked": "m***@example.com",
     *       "createdAt": "2026-09-01T08:00:00.000Z"
     *     }
     */
    FoundAccount: {
      accountId: string
      projectId: string
      /** @enum {string} */
      state: 'active' | 'suspended'
      phoneMasked: string
      recoveryEmailMasked: string
      /** Format: date-time */
      createdAt: string
    }
    /**
     * FoundAccounts
     * @example {
     *       "items": [
     *         {
     *           "accountId": "acc_5vX2mQ8rT1yW4zB7cD9eF3",
     *           "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
     *           "state": "active",
     *           "phoneMasked": "138****0001",
     *           "recoveryEmailMasked": "m***@example.com",
     *           "createdAt": "2026-09-01T08:00:00.000Z"
     *         }
     *       ]
     *     }
     */
    FoundAccounts: {
      items: components['schemas']['FoundAccount'][]
    }
    /**
     * InstanceActivity
     * @description Of the instance that answers alone, from its memory.
     * @example {
     *       "instanceId": "ins_5vX2mQ8rT1yW4zB7cD9eF3",
     *       "startedAt": "2026-09-03T08:00:00.000Z",
     *       "minutes": [
     *         {
     *           "at": "2026-09-03T09:00:00.000Z",
     *           "calls": 120,
     *           "failed": 2,
     *           "credits": 354
     *         }
     *       ],
     *       "sumMinutes": 15,
     *       "operations": [
     *         {
     *           "operation": "model.chat",
     *           "calls": 120,
     *           "failed": 2,
     *           "credits": 354,
     *           "latency": {
     *             "p50Ms": 4.2,
     *             "p95Ms": 11.8,
     *             "p99Ms": 25
     *           }
     *         }
     *       ],
     *       "codes": [
     *         {
     *           "code": "INSUFFICIENT_PAID_CREDITS",
     *           "calls": 2
     *         }
     *       ],
     *       "latency": {
     *         "p50Ms": 4.2,
     *         "p95Ms": 11.8,
     *         "p99Ms": 25
     *       }
     *     }
     */
    InstanceActivity: {
      instanceId: string
      /** Format: date-time */
      startedAt: string
      /** @description The oldest first, without a gap; the last one is not over yet. */
      minutes: components['schemas']['ActivityMinute'][]
      /** @description How many of the last minutes the sums below cover. */
      sumMinutes: number
      operations: components['schemas']['ActivityOfOperation'][]
      /** @description Error codes of billable calls, the most frequent first. */
      codes: components['schemas']['ActivityOfCode'][]
      /** @description Of all billable calls; null without one. */
      latency: components['schemas']['LatencyPercentiles'] | null
    }
    /**
     * InstanceState
     * @example {
     *       "instanceId": "ins_5vX2mQ8rT1yW4zB7cD9eF3",
     *       "isThis": true,
     *       "startedAt": "2026-09-03T08:00:00.000Z",
     *       "leaseUntil": "2026-09-03T09:00:12.000Z",
     *       "isLive": true
     *     }
     */
    InstanceState: {
      instanceId: string
      isThis: boolean
      startedAt: string | null
      leaseUntil: string | null
      isLive: boolean
    }
    /**
     * LatencyPercentiles
     * @example {
     *       "p50Ms": 4.2,
     *       "p95Ms": 11.8,
     *       "p99Ms": 25
     *     }
     */
    LatencyPercentiles: {
      p50Ms: number
      p95Ms: number
      p99Ms: number
    }
    /**
     * LedgerEntry
     * @example {
     *       "amount": 3,
     *       "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
     *       "operation": "model.chat",
     *       "orderId": null,
     *       "reference": null,
     *       "seq": 3,
     *       "kind": "settle",
     *       "available": 197,
     *       "reserved": 0,
     *       "creditLotId": null,
     *       "enteredAt": "2026-09-03T08:10:00.412Z"
     *     }
     */
    LedgerEntry: {
      /** @description Counts the entries of the project without a gap. */
      seq: number
      /**
       * @description credit: bought. reserve: available to reserved. settle: reserved is paid. release: reserved to available. review: stays reserved. grant: given by the operator. withdraw: taken back by the operator.
       * @enum {string}
       */
      kind: 'credit' | 'reserve' | 'settle' | 'release' | 'review' | 'grant' | 'withdraw'
      amount: number
      /** @description Available credits after this entry. */
      available: number
      /** @description Reserved credits after this entry. */
      reserved: number
      chargeId: string | null
      operation:
        | (
            | 'agent.run'
            | 'model.chat'
            | 'shopping.search'
            | 'pick.compare'
            | 'pick.filter'
            | 'pick.links'
            | 'pick.prepurchase_review'
            | 'pick.recommend'
            | 'pick.search'
            | 'media.video'
          )
        | null
      creditLotId: string | null
      orderId: string | null
      /** @description What the operator granted or withdrew credits for, such as the number of a bank transfer. */
      reference: string | null
      /** Format: date-time */
      enteredAt: string
    }
    /**
     * LedgerPage
     * @example {
     *       "items": [
     *         {
     *           "amount": 3,
     *           "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
     *           "operation": "model.chat",
     *           "orderId": null,
     *           "reference": null,
     *           "seq": 3,
     *           "kind": "settle",
     *           "available": 197,
     *           "reserved": 0,
     *           "creditLotId": null,
     *           "enteredAt": "2026-09-03T08:10:00.412Z"
     *         },
     *         {
     *           "amount": 3,
     *           "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
     *           "operation": "model.chat",
     *           "orderId": null,
     *           "reference": null,
     *           "seq": 2,
     *           "kind": "reserve",
     *           "available": 197,
     *           "reserved": 3,
     *           "creditLotId": null,
     *           "enteredAt": "2026-09-03T08:10:00.000Z"
     *         },
     *         {
     *           "seq": 1,
     *           "kind": "credit",
     *           "amount": 200,
     *           "available": 200,
     *           "reserved": 0,
     *           "chargeId": null,
     *           "operation": null,
     *           "creditLotId": "lot_2gX5rC8zJe6F",
     *           "orderId": "ord_9kD4nV6tHs1B",
     *           "reference": null,
     *           "enteredAt": "2026-09-03T08:06:30.000Z"
     *         }
     *       ],
     *       "nextCursor": null
     *     }
     */
    LedgerPage: {
      items: components['schemas']['LedgerEntry'][]
      /** @description Send it as `cursor` for the next page; null when there is none. */
      nextCursor: string | null
    }
    /**
     * ListedOperator
     * @example {
     *       "name": "mei",
     *       "role": "support",
     *       "state": "active",
     *       "requestedBy": null,
     *       "createdAt": "2026-09-01T08:00:00.000Z",
     *       "disabledAt": null
     *     }
     */
    ListedOperator: {
      name: string
      /** @enum {string} */
      role: 'viewer' | 'support' | 'treasurer' | 'admin'
      /**
       * @description Pending until a second administrator approves; locked after five wrong one-time codes, until a reset.
       * @enum {string}
       */
      state: 'active' | 'pending' | 'locked' | 'disabled'
      /** @description While pending: the administrator who asked for it. */
      requestedBy: string | null
      /** Format: date-time */
      createdAt: string
      disabledAt: string | null
    }
    /**
     * MoveCreditsRequest
     * @example {
     *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
     *       "credits": 500,
     *       "reference": "bank transfer 20260903-118",
     *       "reason": "Paid by bank transfer."
     *     }
     */
    MoveCreditsRequest: {
      /** @description Else `PROJECT_NOT_FOUND`. */
      projectId: string
      /** @description Else `CREDITS_INVALID`. */
      credits: number
      /** @description The number of a bank transfer or ticket. It counts once per project and kind of movement. Else `REFERENCE_INVALID`. */
      reference: string
      /** @description Why, in one line of at most 500 characters; it is stored in the audit log. Else `REASON_INVALID`. */
      reason: string
      /** @description True if you know of the earlier movement with a similar reference and this is another payment. */
      again?: boolean
    }
    /**
     * NewOperator
     * @example {
     *       "name": "mei",
     *       "role": "support",
     *       "password": "vT3xQ9mB2nL7kR5wZ8pC",
     *       "totpUri": "otpauth://totp/API%20Relay%20Gateway:mei?secret=JBSWY3DPEHPK3PXP&issuer=API%20Relay%20Gateway",
     *       "state": "active"
     *     }
     */
    NewOperator: {
      name: string
      /** @enum {string} */
      role: 'viewer' | 'support' | 'treasurer' | 'admin'
      /** @description The first password. It is shown only once and must be changed at the first sign-in. */
      password: string
      /**
       * Format: uri
       * @description For an authenticator app. It is shown only once.
       */
      totpUri: string
      /**
       * @description Pending until a second administrator approves.
       * @enum {string}
       */
      state: 'active' | 'pending'
    }
    /**
     * NewTotp
     * @example {
     *       "totpUri": "otpauth://totp/API%20Relay%20Gateway:mei?secret=JBSWY3DPEHPK3PXP&issuer=API%20Relay%20Gateway"
     *     }
     */
    NewTotp: {
      /**
       * Format: uri
       * @description For an authenticator app. It is shown only once.
       */
      totpUri: string
    }
    /**
     * OpenReview
     * @example {
     *       "chargeId": "chg_0M1n2O3p4Q5r6S7t8U9v",
     *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
     *       "operation": "model.chat",
     *       "credits": 3,
     *       "requestId": "req_0M1n2O3p4Q5r6S7t8U9v",
     *       "reservedAt": "2026-09-03T08:30:00.000Z",
     *       "reason": {
     *         "code": "PROVIDER_TIMED_OUT",
     *         "text": "The provider did not respond in time."
     *       }
     *     }
     */
    OpenReview: {
      chargeId: string
      projectId: string
      /** @enum {string} */
      operation:
        | 'agent.run'
        | 'model.chat'
        | 'shopping.search'
        | 'pick.compare'
        | 'pick.filter'
        | 'pick.links'
        | 'pick.prepurchase_review'
        | 'pick.recommend'
        | 'pick.search'
        | 'media.video'
      /** @description Credits that stay reserved. */
      credits: number
      /** @description The X-Request-Id of the call, as in the log. */
      requestId: string
      /** Format: date-time */
      reservedAt: string
      /** @description Why the outcome is uncertain. */
      reason: {
        code: string
        /** @description The meaning of the code. */
        text: string
      } | null
    }
    /**
     * OpenReviewPage
     * @example {
     *       "items": [
     *         {
     *           "chargeId": "chg_0M1n2O3p4Q5r6S7t8U9v",
     *           "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
     *           "operation": "model.chat",
     *           "credits": 3,
     *           "requestId": "req_0M1n2O3p4Q5r6S7t8U9v",
     *           "reservedAt": "2026-09-03T08:30:00.000Z",
     *           "reason": {
     *             "code": "PROVIDER_TIMED_OUT",
     *             "text": "The provider did not respond in time."
     *           }
     *         }
     *       ],
     *       "nextAfter": null
     *     }
     */
    OpenReviewPage: {
      items: components['schemas']['OpenReview'][]
      /** @description Send it as `after` for the next page; null when there is none. */
      nextAfter: string | null
    }
    /**
     * OpenReviews
     * @example {
     *       "open": 1,
     *       "credits": 3,
     *       "oldestAt": "2026-09-03T08:30:00.000Z"
     *     }
     */
    OpenReviews: {
      open: number
      /** @description Credits that they hold. */
      credits: number
      oldestAt: string | null
    }
    /**
     * OperatedAccount
     * @example {
     *       "accountId": "acc_5vX2mQ8rT1yW4zB7cD9eF3",
     *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
     *       "state": "active",
     *       "phoneMasked": "138****0001",
     *       "recoveryEmailMasked": "m***@example.com",
     *       "createdAt": "2026-09-01T08:00:00.000Z",
     *       "recoveryEmailState": "verified",
     *       "suspendedAt": null,
     *       "suspensionReason": null,
     *       "balance": {
     *         "available": 940,
     *         "reserved": 3,
     *         "settled": 57,
     *         "credited": 1000
     *       },
     *       "keys": [
     *         {
     *           "keyId": "key_7hJ2kM4nQ6rT8vX0zB3dF5",
     *           "displayPrefix": "gk_live_4tYz...9aQe",
     *           "revokedAt": null
     *         }
     *       ]
     *     }
     */
    OperatedAccount: {
      accountId: string
      projectId: string
      /** @enum {string} */
      state: 'active' | 'suspended'
      phoneMasked: string
      recoveryEmailMasked: string
      /** Format: date-time */
      createdAt: string
      /** @enum {string} */
      recoveryEmailState: 'pending_verification' | 'verified'
      suspendedAt: string | null
      suspensionReason: string | null
      balance: components['schemas']['OperatedBalance']
      /** @description The newest first. */
      keys: components['schemas']['OperatedKeyState'][]
    }
    /**
     * OperatedBalance
     * @example {
     *       "available": 940,
     *       "reserved": 3,
     *       "settled": 57,
     *       "credited": 1000
     *     }
     */
    OperatedBalance: {
      available: number
      reserved: number
      /** @description Spent. */
      settled: number
      /** @description Bought and granted, less what was withdrawn. */
      credited: number
    }
    /**
     * OperatedKeyAnswer
     * @example {
     *       "keyId": "key_7hJ2kM4nQ6rT8vX0zB3dF5",
     *       "displayPrefix": "gk_live_4tYz...9aQe",
     *       "revokedAt": "2026-09-03T09:00:00.000Z",
     *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5"
     *     }
     */
    OperatedKeyAnswer: {
      keyId: string
      projectId: string
      displayPrefix: string
      revokedAt: string | null
    }
    /**
     * OperatedKeyState
     * @example {
     *       "keyId": "key_7hJ2kM4nQ6rT8vX0zB3dF5",
     *       "displayPrefix": "gk_live_4tYz...9aQe",
     *       "revokedAt": null
     *     }
     */
    OperatedKeyState: {
      keyId: string
      displayPrefix: string
      revokedAt: string | null
    }
    /**
     * OperatorList
     * @example {
     *       "items": [
     *         {
     *           "name": "mei",
     *           "role": "support",
     *           "state": "active",
     *           "requestedBy": null,
     *           "createdAt": "2026-09-01T08:00:00.000Z",
     *           "disabledAt": null
     *         }
     *       ]
     *     }
     */
    OperatorList: {
      items: components['schemas']['ListedOperator'][]
    }
    /**
     * OperatorOverview
     * @example {
     *       "instance": {
     *         "instanceId": "ins_5vX2mQ8rT1yW4zB7cD9eF3",
     *         "startedAt": "2026-09-03T08:00:00.000Z",
     *         "minutes": [
     *           {
     *             "at": "2026-09-03T09:00:00.000Z",
     *             "calls": 120,
     *             "failed": 2,
     *             "credits": 354
     *           }
     *         ],
     *         "sumMinutes": 15,
     *         "operations": [
     *           {
     *             "operation": "model.chat",
     *             "calls": 120,
     *             "failed": 2,
     *             "credits": 354,
     *             "latency": {
     *               "p50Ms": 4.2,
     *               "p95Ms": 11.8,
     *               "p99Ms": 25
     *             }
     *           }
     *         ],
     *         "codes": [
     *           {
     *             "code": "INSUFFICIENT_PAID_CREDITS",
     *             "calls": 2
     *           }
     *         ],
     *         "latency": {
     *           "p50Ms": 4.2,
     *           "p95Ms": 11.8,
     *           "p99Ms": 25
     *         }
     *       },
     *       "days": [
     *         {
     *           "day": "2026-09-03",
     *           "operation": "model.chat",
     *           "calls": 4100,
     *           "credits": 12300
     *         }
     *       ],
     *       "credits": {
     *         "bought": 100000,
     *         "granted": 500,
     *         "withdrawn": 0,
     *         "spent": 57000,
     *         "reserved": 3,
     *         "available": 43497
     *       },
     *       "reviews": {
     *         "open": 1,
     *         "credits": 3,
     *         "oldestAt": "2026-09-03T08:30:00.000Z"
     *       },
     *       "pendingApprovals": 0,
     *       "providers": [
     *         {
     *           "kind": "model",
     *           "name": "model_provider_a",
     *           "adapter": "openai",
     *           "state": "in_service",
     *           "changedBy": null,
     *           "changedAt": null,
     *           "breaker": "closed",
     *           "underWay": 2,
     *           "maxConcurrent": 64,
     *           "outcomes": {
     *             "minutes": 15,
     *             "confirmed": 410,
     *             "refused": 1,
     *             "unavailable": 2,
     *             "uncertain": 0,
     *             "codes": [
     *               {
     *                 "code": "PROVIDER_RATE_LIMITED",
     *                 "calls": 2
     *               }
     *             ]
     *           }
     *         }
     *       ],
     *       "instances": [
     *         {
     *           "instanceId": "ins_5vX2mQ8rT1yW4zB7cD9eF3",
     *           "isThis": true,
     *           "startedAt": "2026-09-03T08:00:00.000Z",
     *           "leaseUntil": "2026-09-03T09:00:12.000Z",
     *           "isLive": true
     *         }
     *       ],
     *       "lastReconcile": {
     *         "runId": "run_0M1n2O3p4Q5r6S7t8U9v",
     *         "startedBy": "mei",
     *         "startedAt": "2026-09-03T09:00:00.000Z",
     *         "finishedAt": "2026-09-03T09:00:02.000Z",
     *         "state": "different",
     *         "progress": null,
     *         "differenceCount": 1
     *       }
     *     }
     */
    OperatorOverview: {
      instance: components['schemas']['InstanceActivity']
      /** @description Settled calls of the last 30 days, of all projects and instances, from the store. */
      days: components['schemas']['SettledDayOfAll'][]
      credits: components['schemas']['CreditTotals']
      reviews: components['schemas']['OpenReviews']
      pendingApprovals: number
      providers: components['schemas']['ProviderState'][]
      instances: components['schemas']['InstanceState'][]
      lastReconcile: components['schemas']['ReconcileRun'] | null
    }
    /**
     * OperatorPasswordChanged
     * @example {
     *       "state": "password_changed",
     *       "endedSessions": 0
     *     }
     */
    OperatorPasswordChanged: {
      /** @constant */
      state: 'password_changed'
      /** @description Other sessions of the same operator that were ended. */
      endedSessions: number
    }
    /**
     * OperatorPasswordRequest
     * @example {
     *       "currentPassword": "a first password",
     *       "newPassword": "a better password"
     *     }
     */
    OperatorPasswordRequest: {
      currentPassword: string
      /** @description Counted in characters. Else `PASSWORD_INVALID`. */
      newPassword: string
    }
    /**
     * OperatorSignInRequest
     * @description Either name and password, or the token of a sign-in link.
     * @example {
     *       "name": "mei",
     *       "password": "a first password",
     *       "totp": "492039"
     *     }
     */
    OperatorSignInRequest: {
      name?: string
      password?: string
      /** @description Six digits. Needed unless the gateway is on a loopback origin. Viewers and supporters who have never used one may sign in without it and set it up first. */
      totp?: string
      /** @description Of a one-time sign-in link, instead of the others. */
      token?: string
    }
    /**
     * OptionalReasonRequest
     * @example {
     *       "reason": "The transfer has arrived."
     *     }
     */
    OptionalReasonRequest: {
      /** @description Why, in one line of at most 500 characters; it is stored in the audit log. Else `REASON_INVALID`. */
      reason?: string
    }
    /**
     * Order
     * @example {
     *       "orderId": "ord_9kD4nV6tHs1B",
     *       "amountFen": 2000,
     *       "creditAmount": 200,
     *       "currency": "CNY",
     *       "creditsPerYuan": 10,
     *       "yuanPerCredit": "0.10",
     *       "pricingVersion": "gateway-custom-cny-10credits-v1",
     *       "state": "credited",
     *       "paymentMode": "local-simulated",
     *       "createdAt": "2026-09-03T08:06:00.000Z",
     *       "simulatedPaidAt": "2026-09-03T08:06:30.000Z",
     *       "creditedAt": "2026-09-03T08:06:30.000Z"
     *     }
     */
    Order: {
      orderId: string
      amountFen: number
      creditAmount: number
      /** @constant */
      currency: 'CNY'
      /** @constant */
      creditsPerYuan: 10
      /** @constant */
      yuanPerCredit: '0.10'
      /** @constant */
      pricingVersion: 'gateway-custom-cny-10credits-v1'
      /** @enum {string} */
      state: 'pending' | 'simulated_paid' | 'credited'
      /** @constant */
      paymentMode: 'local-simulated'
      /** Format: date-time */
      createdAt: string
      simulatedPaidAt: string | null
      creditedAt: string | null
    }
    /**
     * OrderPage
     * @example {
     *       "items": [
     *         {
     *           "orderId": "ord_9kD4nV6tHs1B",
     *           "amountFen": 2000,
     *           "creditAmount": 200,
     *           "currency": "CNY",
     *           "creditsPerYuan": 10,
     *           "yuanPerCredit": "0.10",
     *           "pricingVersion": "gateway-custom-cny-10credits-v1",
     *           "state": "credited",
     *           "paymentMode": "local-simulated",
     *           "createdAt": "2026-09-03T08:06:00.000Z",
     *           "simulatedPaidAt": "2026-09-03T08:06:30.000Z",
     *           "creditedAt": "2026-09-03T08:06:30.000Z"
     *         }
     *       ],
     *       "nextCursor": null
     *     }
     */
    OrderPage: {
      items: components['schemas']['Order'][]
      /** @description Send it as `cursor` for the next page; null when there is none. */
      nextCursor: string | null
    }
    /**
     * ProviderList
     * @example {
     *       "items": [
     *         {
     *           "kind": "model",
     *           "name": "model_provider_a",
     *           "adapter": "openai",
     *           "state": "in_service",
     *           "changedBy": null,
     *           "changedAt": null,
     *           "breaker": "closed",
     *           "underWay": 2,
     *           "maxConcurrent": 64,
     *           "outcomes": {
     *             "minutes": 15,
     *             "confirmed": 410,
     *             "refused": 1,
     *             "unavailable": 2,
     *             "uncertain": 0,
     *             "codes": [
     *               {
     *                 "code": "PROVIDER_RATE_LIMITED",
     *                 "calls": 2
     *               }
     *             ]
     *           }
     *         }
     *       ]
     *     }
     */
    ProviderList: {
      items: components['schemas']['ProviderState'][]
    }
    /**
     * ProviderOutcomes
     * @example {
     *       "minutes": 15,
     *       "confirmed": 410,
     *       "refused": 1,
     *       "unavailable": 2,
     *       "uncertain": 0,
     *       "codes": [
     *         {
     *           "code": "PROVIDER_RATE_LIMITED",
     *           "calls": 2
     *         }
     *       ]
     *     }
     */
    ProviderOutcomes: {
      /** @description The span that is counted, on this instance. */
      minutes: number
      confirmed: number
      refused: number
      unavailable: number
      uncertain: number
      /** @description Error codes and reasons of the calls that failed, the most frequent first. */
      codes: {
        code: string
        calls: number
      }[]
    }
    /**
     * ProviderState
     * @example {
     *       "kind": "model",
     *       "name": "model_provider_a",
     *       "adapter": "openai",
     *       "state": "in_service",
     *       "changedBy": null,
     *       "changedAt": null,
     *       "breaker": "closed",
     *       "underWay": 2,
     *       "maxConcurrent": 64,
     *       "outcomes": {
     *         "minutes": 15,
     *         "confirmed": 410,
     *         "refused": 1,
     *         "unavailable": 2,
     *         "uncertain": 0,
     *         "codes": [
     *           {
     *             "code": "PROVIDER_RATE_LIMITED",
     *             "calls": 2
     *           }
     *         ]
     *       }
     *     }
     */
    ProviderState: {
      /** @enum {string} */
      kind: 'model' | 'shop'
      name: string
      /** @description What serves it: local, openai, pick-http or disabled. */
      adapter: string
      /**
       * @description disabled: in the configuration. out_of_service: by an operator, on all instances.
       * @enum {string}
       */
      state: 'in_service' | 'out_of_service' | 'disabled'
      /** @description Who last took it out of service or put it back. */
      changedBy: string | null
      changedAt: string | null
      /** @description Circuit breaker of this instance; null without one. */
      breaker: ('closed' | 'open' | 'half_open') | null
      /** @description Calls of this instance that wait for the provider. */
      underWay: number
      /** @description The most calls at a time; null for no limit. */
      maxConcurrent: number | null
      outcomes: components['schemas']['ProviderOutcomes']
    }
    /**
     * ReasonRequest
     * @example {
     *       "reason": "Reported as stolen."
     *     }
     */
    ReasonRequest: {
      /** @description Why, in one line of at most 500 characters; it is stored in the audit log. Else `REASON_INVALID`. */
      reason: string
    }
    /**
     * ReconcileDifference
     * @example {
     *       "invariant": "I6",
     *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
     *       "at": "balance",
     *       "what": "available",
     *       "expected": 940,
     *       "found": 941
     *     }
     */
    ReconcileDifference: {
      invariant: string
      projectId: string
      at: string
      what: string
      expected: string | number
      found: string | number
    }
    /**
     * ReconcileProgress
     * @example {
     *       "rows": 0,
     *       "total": 0
     *     }
     */
    ReconcileProgress: {
      rows: number
      /** @description Rows when it started. */
      total: number
    }
    /**
     * ReconcileResult
     * @example {
     *       "runId": "run_0M1n2O3p4Q5r6S7t8U9v",
     *       "startedBy": "mei",
     *       "startedAt": "2026-09-03T09:00:00.000Z",
     *       "finishedAt": "2026-09-03T09:00:02.000Z",
     *       "state": "different",
     *       "progress": null,
     *       "differenceCount": 1,
     *       "size": {
     *         "projects": 3,
     *         "charges": 120,
     *         "orders": 4,
     *         "entries": 244
     *       },
     *       "differences": [
     *         {
     *           "invariant": "I6",
     *           "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
     *           "at": "balance",
     *           "what": "available",
     *           "expected": 940,
     *           "found": 941
     *         }
     *       ]
     *     }
     */
    ReconcileResult: {
      runId: string
      startedBy: string
      /** Format: date-time */
      startedAt: string
      finishedAt: string | null
      /**
       * @description sound: no difference. different: see the differences. failed: it did not finish.
       * @enum {string}
       */
      state: 'running' | 'sound' | 'different' | 'failed'
      /** @description While it runs on the instance that answers; otherwise null. */
      progress: components['schemas']['ReconcileProgress'] | null
      differenceCount: number | null
      /** @description Rows that were read. */
      size: components['schemas']['ReconciledRows'] | null
      /** @description The first of them. */
      differences: components['schemas']['ReconcileDifference'][]
    }
    /**
     * ReconcileRun
     * @example {
     *       "runId": "run_0M1n2O3p4Q5r6S7t8U9v",
     *       "startedBy": "mei",
     *       "startedAt": "2026-09-03T09:00:00.000Z",
     *       "finishedAt": "2026-09-03T09:00:02.000Z",
     *       "state": "different",
     *       "progress": null,
     *       "differenceCount": 1
     *     }
     */
    ReconcileRun: {
      runId: string
      startedBy: string
      /** Format: date-time */
      startedAt: string
      finishedAt: string | null
      /**
       * @description sound: no difference. different: see the differences. failed: it did not finish.
       * @enum {string}
       */
      state: 'running' | 'sound' | 'different' | 'failed'
      /** @description While it runs on the instance that answers; otherwise null. */
      progress: components['schemas']['ReconcileProgress'] | null
      differenceCount: number | null
    }
    /**
     * ReconcileRuns
     * @example {
     *       "items": [
     *         {
     *           "runId": "run_0M1n2O3p4Q5r6S7t8U9v",
     *           "startedBy": "mei",
     *           "startedAt": "2026-09-03T09:00:00.000Z",
     *           "finishedAt": "2026-09-03T09:00:02.000Z",
     *           "state": "different",
     *           "progress": null,
     *           "differenceCount": 1
     *         }
     *       ]
     *     }
     */
    ReconcileRuns: {
      /** @description The newest first. */
      items: components['schemas']['ReconcileRun'][]
    }
    /**
     * ReconciledRows
     * @example {
     *       "projects": 3,
     *       "charges": 120,
     *       "orders": 4,
     *       "entries": 244
     *     }
     */
    ReconciledRows: {
      projects: number
      charges: number
      orders: number
      entries: number
    }
    /**
     * RecoveredAccount
     * @example {
     *       "accountId": "acc_5vX2mQ8rT1yW4zB7cD9eF3",
     *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
     *       "state": "active",
     *       "phoneMasked": "138****0001",
     *       "recoveryEmailMasked": "m***@example.com",
     *       "createdAt": "2026-09-01T08:00:00.000Z",
     *       "recoveryEmailState": "verified",
     *       "suspendedAt": null,
     *       "suspensionReason": null,
     *       "balance": {
     *         "available": 940,
     *         "reserved": 3,
     *         "settled": 57,
     *         "credited": 1000
     *       },
     *       "keys": [
     *         {
     *           "keyId": "key_7hJ2kM4nQ6rT8vX0zB3dF5",
     *           "displayPrefix": "gk_live_4tYz...9aQe",
     *           "revokedAt": null
     *         }
     *       ],
     *       "recovery": {
     *         "link": "https://gateway.example.com/console/recover#challenge=gvc_5vX2mQ8rT1yW4zB7cD9eF3",
     *         "expiresAt": "2026-09-03T09:05:00.000Z"
     *       }
     *     }
     */
    RecoveredAccount: {
      accountId: string
      projectId: string
      /** @enum {string} */
      state: 'active' | 'suspended'
      phoneMasked: string
      recoveryEmailMasked: string
      /** Format: date-time */
      createdAt: string
      /** @enum {string} */
      recoveryEmailState: 'pending_verification' | 'verified'
      suspendedAt: string | null
      suspensionReason: string | null
      balance: components['schemas']['OperatedBalance']
      /** @description The newest first. */
      keys: components['schemas']['OperatedKeyState'][]
      recovery: components['schemas']['AccountRecovery']
    }
    /**
     * SettledDayOfAll
     * @example {
     *       "day": "2026-09-03",
     *       "operation": "model.chat",
     *       "calls": 4100,
     *       "credits": 12300
     *     }
     */
    SettledDayOfAll: {
      /**
       * Format: date
       * @description A day in Shanghai.
       */
      day: string
      /** @enum {string} */
      operation:
        | 'agent.run'
        | 'model.chat'
        | 'shopping.search'
        | 'pick.compare'
        | 'pick.filter'
        | 'pick.links'
        | 'pick.prepurchase_review'
        | 'pick.recommend'
        | 'pick.search'
        | 'media.video'
      calls: number
      credits: number
    }
    /**
     * SignedInOperator
     * @example {
     *       "name": "mei",
     *       "role": "support",
     *       "csrfToken": "x3lP0s7e8Q1yJw2n4bVtZk"
     *     }
     */
    SignedInOperator: {
      name: string
      /** @enum {string} */
      role: 'viewer' | 'support' | 'treasurer' | 'admin'
      /** @description Send it back as X-CSRF-Token. */
      csrfToken: string
    }
    /**
     * SignedOutOperator
     * @example {
     *       "state": "signed_out"
     *     }
     */
    SignedOutOperator: {
      /** @constant */
      state: 'signed_out'
    }
    /**
     * TotpConfirmed
     * @example {
     *       "state": "totp_confirmed"
     *     }
     */
    TotpConfirmed: {
      /** @constant */
      state: 'totp_confirmed'
    }
    /**
     * TotpRequest
     * @example {
     *       "currentPassword": "a better password"
     *     }
     */
    TotpRequest: {
      currentPassword: string
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: {
    /** @description Identifies this request in the log. Quote it when you contact the operator. */
    'X-Request-Id': string
    /** @description The gateway_operator cookie: HttpOnly, SameSite=Strict. Signing out clears it. */
    'Set-Cookie': string
    /** @description Seconds to wait before the next request. Absent if waiting alone does not help. */
    'Retry-After': number
    /** @description Version of this content. Send it back as If-None-Match. */
    ETag: string
  }
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  'operator.sign_in': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "mei",
         *       "password": "a first password",
         *       "totp": "492039"
         *     }
         */
        'application/json': components['schemas']['OperatorSignInRequest']
      }
    }
    responses: {
      /** @description You are signed in. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Set-Cookie': components['headers']['Set-Cookie']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "name": "mei",
           *       "role": "support",
           *       "csrfToken": "x3lP0s7e8Q1yJw2n4bVtZk"
           *     }
           */
          'application/json': components['schemas']['SignedInOperator']
        }
      }
    }
  }
  'operator.me': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The signed-in operator. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "name": "mei",
           *       "role": "support",
           *       "csrfToken": "x3lP0s7e8Q1yJw2n4bVtZk"
           *     }
           */
          'application/json': components['schemas']['SignedInOperator']
        }
      }
    }
  }
  'operator.sign_out': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyRequest']
      }
    }
    responses: {
      /** @description The session is ended. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Set-Cookie': components['headers']['Set-Cookie']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "state": "signed_out"
           *     }
           */
          'application/json': components['schemas']['SignedOutOperator']
        }
      }
    }
  }
  'operator.password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "currentPassword": "a first password",
         *       "newPassword": "a better password"
         *     }
         */
        'application/json': components['schemas']['OperatorPasswordRequest']
      }
    }
    responses: {
      /** @description The password is changed. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "state": "password_changed",
           *       "endedSessions": 0
           *     }
           */
          'application/json': components['schemas']['OperatorPasswordChanged']
        }
      }
    }
  }
  'operator.totp': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "currentPassword": "a better password"
         *     }
         */
        'application/json': components['schemas']['TotpRequest']
      }
    }
    responses: {
      /** @description The new secret. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "totpUri": "otpauth://totp/API%20Relay%20Gateway:mei?secret=JBSWY3DPEHPK3PXP&issuer=API%20Relay%20Gateway"
           *     }
           */
          'application/json': components['schemas']['NewTotp']
        }
      }
    }
  }
  'operator.totp.confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "totp": "492039"
         *     }
         */
        'application/json': components['schemas']['ConfirmTotpRequest']
      }
    }
    responses: {
      /** @description One-time codes are set up. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "state": "totp_confirmed"
           *     }
           */
          'application/json': components['schemas']['TotpConfirmed']
        }
      }
    }
  }
  'operator.overview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The overview. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          ETag: components['headers']['ETag']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "instance": {
           *         "instanceId": "ins_5vX2mQ8rT1yW4zB7cD9eF3",
           *         "startedAt": "2026-09-03T08:00:00.000Z",
           *         "minutes": [
           *           {
           *             "at": "2026-09-03T09:00:00.000Z",
           *             "calls": 120,
           *             "failed": 2,
           *             "credits": 354
           *           }
           *         ],
           *         "sumMinutes": 15,
           *         "operations": [
           *           {
           *             "operation": "model.chat",
           *             "calls": 120,
           *             "failed": 2,
           *             "credits": 354,
           *             "latency": {
           *               "p50Ms": 4.2,
           *               "p95Ms": 11.8,
           *               "p99Ms": 25
           *             }
           *           }
           *         ],
           *         "codes": [
           *           {
           *             "code": "INSUFFICIENT_PAID_CREDITS",
           *             "calls": 2
           *           }
           *         ],
           *         "latency": {
           *           "p50Ms": 4.2,
           *           "p95Ms": 11.8,
           *           "p99Ms": 25
           *         }
           *       },
           *       "days": [
           *         {
           *           "day": "2026-09-03",
           *           "operation": "model.chat",
           *           "calls": 4100,
           *           "credits": 12300
           *         }
           *       ],
           *       "credits": {
           *         "bought": 100000,
           *         "granted": 500,
           *         "withdrawn": 0,
           *         "spent": 57000,
           *         "reserved": 3,
           *         "available": 43497
           *       },
           *       "reviews": {
           *         "open": 1,
           *         "credits": 3,
           *         "oldestAt": "2026-09-03T08:30:00.000Z"
           *       },
           *       "pendingApprovals": 0,
           *       "providers": [
           *         {
           *           "kind": "model",
           *           "name": "model_provider_a",
           *           "adapter": "openai",
           *           "state": "in_service",
           *           "changedBy": null,
           *           "changedAt": null,
           *           "breaker": "closed",
           *           "underWay": 2,
           *           "maxConcurrent": 64,
           *           "outcomes": {
           *             "minutes": 15,
           *             "confirmed": 410,
           *             "refused": 1,
           *             "unavailable": 2,
           *             "uncertain": 0,
           *             "codes": [
           *               {
           *                 "code": "PROVIDER_RATE_LIMITED",
           *                 "calls": 2
           *               }
           *             ]
           *           }
           *         }
           *       ],
           *       "instances": [
           *         {
           *           "instanceId": "ins_5vX2mQ8rT1yW4zB7cD9eF3",
           *           "isThis": true,
           *           "startedAt": "2026-09-03T08:00:00.000Z",
           *           "leaseUntil": "2026-09-03T09:00:12.000Z",
           *           "isLive": true
           *         }
           *       ],
           *       "lastReconcile": {
           *         "runId": "run_0M1n2O3p4Q5r6S7t8U9v",
           *         "startedBy": "mei",
           *         "startedAt": "2026-09-03T09:00:00.000Z",
           *         "finishedAt": "2026-09-03T09:00:02.000Z",
           *         "state": "different",
           *         "progress": null,
           *         "differenceCount": 1
           *       }
           *     }
           */
          'application/json': components['schemas']['OperatorOverview']
        }
      }
    }
  }
  'operator.accounts.find': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "phone": "13800000001"
         *     }
         */
        'application/json': components['schemas']['FindAccountsRequest']
      }
    }
    responses: {
      /** @description The accounts that match. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "accountId": "acc_5vX2mQ8rT1yW4zB7cD9eF3",
           *           "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
           *           "state": "active",
           *           "phoneMasked": "138****0001",
           *           "recoveryEmailMasked": "m***@example.com",
           *           "createdAt": "2026-09-01T08:00:00.000Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['FoundAccounts']
        }
      }
    }
  }
  'operator.accounts.show': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered ACCOUNT_NOT_FOUND.
         * @example acc_5vX2mQ8rT1yW4zB7cD9eF3
         */
        accountId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The account. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "accountId": "acc_5vX2mQ8rT1yW4zB7cD9eF3",
           *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
           *       "state": "active",
           *       "phoneMasked": "138****0001",
           *       "recoveryEmailMasked": "m***@example.com",
           *       "createdAt": "2026-09-01T08:00:00.000Z",
           *       "recoveryEmailState": "verified",
           *       "suspendedAt": null,
           *       "suspensionReason": null,
           *       "balance": {
           *         "available": 940,
           *         "reserved": 3,
           *         "settled": 57,
           *         "credited": 1000
           *       },
           *       "keys": [
           *         {
           *           "keyId": "key_7hJ2kM4nQ6rT8vX0zB3dF5",
           *           "displayPrefix": "gk_live_4tYz...9aQe",
           *           "revokedAt": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['OperatedAccount']
        }
      }
    }
  }
  'operator.accounts.ledger': {
    parameters: {
      query?: {
        /** @description The nextCursor of the page before; without it the list begins with the newest. */
        cursor?: string
        /** @description The most rows of a page. */
        limit?: number
        kind?: 'credit' | 'reserve' | 'settle' | 'release' | 'review' | 'grant' | 'withdraw'
        /** @description The first day, in Shanghai. */
        from?: string
        /** @description The last day, in Shanghai; it is included. */
        to?: string
      }
      header?: never
      path: {
        /**
         * @description Anything else is answered ACCOUNT_NOT_FOUND.
         * @example acc_5vX2mQ8rT1yW4zB7cD9eF3
         */
        accountId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of entries, the newest first. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "amount": 3,
           *           "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
           *           "operation": "model.chat",
           *           "orderId": null,
           *           "reference": null,
           *           "seq": 3,
           *           "kind": "settle",
           *           "available": 197,
           *           "reserved": 0,
           *           "creditLotId": null,
           *           "enteredAt": "2026-09-03T08:10:00.412Z"
           *         },
           *         {
           *           "amount": 3,
           *           "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
           *           "operation": "model.chat",
           *           "orderId": null,
           *           "reference": null,
           *           "seq": 2,
           *           "kind": "reserve",
           *           "available": 197,
           *           "reserved": 3,
           *           "creditLotId": null,
           *           "enteredAt": "2026-09-03T08:10:00.000Z"
           *         },
           *         {
           *           "seq": 1,
           *           "kind": "credit",
           *           "amount": 200,
           *           "available": 200,
           *           "reserved": 0,
           *           "chargeId": null,
           *           "operation": null,
           *           "creditLotId": "lot_2gX5rC8zJe6F",
           *           "orderId": "ord_9kD4nV6tHs1B",
           *           "reference": null,
           *           "enteredAt": "2026-09-03T08:06:30.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['LedgerPage']
        }
      }
    }
  }
  'operator.accounts.orders': {
    parameters: {
      query?: {
        /** @description The nextCursor of the page before; without it the list begins with the newest. */
        cursor?: string
        /** @description The most rows of a page. */
        limit?: number
      }
      header?: never
      path: {
        /**
         * @description Anything else is answered ACCOUNT_NOT_FOUND.
         * @example acc_5vX2mQ8rT1yW4zB7cD9eF3
         */
        accountId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of orders, the newest first. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "orderId": "ord_9kD4nV6tHs1B",
           *           "amountFen": 2000,
           *           "creditAmount": 200,
           *           "currency": "CNY",
           *           "creditsPerYuan": 10,
           *           "yuanPerCredit": "0.10",
           *           "pricingVersion": "gateway-custom-cny-10credits-v1",
           *           "state": "credited",
           *           "paymentMode": "local-simulated",
           *           "createdAt": "2026-09-03T08:06:00.000Z",
           *           "simulatedPaidAt": "2026-09-03T08:06:30.000Z",
           *           "creditedAt": "2026-09-03T08:06:30.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['OrderPage']
        }
      }
    }
  }
  'operator.accounts.charges': {
    parameters: {
      query?: {
        /** @description The nextCursor of the page before; without it the list begins with the newest. */
        cursor?: string
        /** @description The most rows of a page. */
        limit?: number
        operation?:
          | 'agent.run'
          | 'model.chat'
          | 'shopping.search'
          | 'pick.compare'
          | 'pick.filter'
          | 'pick.links'
          | 'pick.prepurchase_review'
          | 'pick.recommend'
          | 'pick.search'
          | 'media.video'
        state?: 'reserved' | 'settled' | 'released' | 'manual_review'
        keyId?: string
        /** @description The first day, in Shanghai. */
        from?: string
        /** @description The last day, in Shanghai; it is included. */
        to?: string
        /** @description A charge id, or the X-Request-Id of a call. */
        id?: string
      }
      header?: never
      path: {
        /**
         * @description Anything else is answered ACCOUNT_NOT_FOUND.
         * @example acc_5vX2mQ8rT1yW4zB7cD9eF3
         */
        accountId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of charges, the newest first. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
           *           "operation": "model.chat",
           *           "credits": 3,
           *           "state": "settled",
           *           "keyId": "key_3fQ7sJ8wMa2P",
           *           "keyDisplayPrefix": "gk_live_Ab3x...9TzK",
           *           "requestId": "req_4sH8cN2vXq6M",
           *           "reservedAt": "2026-09-03T08:10:00.000Z",
           *           "endedAt": "2026-09-03T08:10:00.412Z",
           *           "reason": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['ChargePage']
        }
      }
    }
  }
  'operator.accounts.sign_ins': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered ACCOUNT_NOT_FOUND.
         * @example acc_5vX2mQ8rT1yW4zB7cD9eF3
         */
        accountId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The sign-ins. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "sessionId": "ses_9aB1cD3eF5gH7iJ9kL1mN3",
           *           "createdAt": "2026-09-03T08:00:00.000Z",
           *           "expiresAt": "2026-09-03T20:00:00.000Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['AccountSignIns']
        }
      }
    }
  }
  'operator.accounts.suspend': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered ACCOUNT_NOT_FOUND.
         * @example acc_5vX2mQ8rT1yW4zB7cD9eF3
         */
        accountId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "Reported as stolen."
         *     }
         */
        'application/json': components['schemas']['ReasonRequest']
      }
    }
    responses: {
      /** @description The account. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "accountId": "acc_5vX2mQ8rT1yW4zB7cD9eF3",
           *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
           *       "state": "suspended",
           *       "phoneMasked": "138****0001",
           *       "recoveryEmailMasked": "m***@example.com",
           *       "createdAt": "2026-09-01T08:00:00.000Z",
           *       "recoveryEmailState": "verified",
           *       "suspendedAt": "2026-09-03T09:00:00.000Z",
           *       "suspensionReason": "Reported as stolen.",
           *       "balance": {
           *         "available": 940,
           *         "reserved": 3,
           *         "settled": 57,
           *         "credited": 1000
           *       },
           *       "keys": [
           *         {
           *           "keyId": "key_7hJ2kM4nQ6rT8vX0zB3dF5",
           *           "displayPrefix": "gk_live_4tYz...9aQe",
           *           "revokedAt": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['OperatedAccount']
        }
      }
    }
  }
  'operator.accounts.reinstate': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered ACCOUNT_NOT_FOUND.
         * @example acc_5vX2mQ8rT1yW4zB7cD9eF3
         */
        accountId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "Reported as stolen."
         *     }
         */
        'application/json': components['schemas']['ReasonRequest']
      }
    }
    responses: {
      /** @description The account. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "accountId": "acc_5vX2mQ8rT1yW4zB7cD9eF3",
           *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
           *       "state": "active",
           *       "phoneMasked": "138****0001",
           *       "recoveryEmailMasked": "m***@example.com",
           *       "createdAt": "2026-09-01T08:00:00.000Z",
           *       "recoveryEmailState": "verified",
           *       "suspendedAt": null,
           *       "suspensionReason": null,
           *       "balance": {
           *         "available": 940,
           *         "reserved": 3,
           *         "settled": 57,
           *         "credited": 1000
           *       },
           *       "keys": [
           *         {
           *           "keyId": "key_7hJ2kM4nQ6rT8vX0zB3dF5",
           *           "displayPrefix": "gk_live_4tYz...9aQe",
           *           "revokedAt": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['OperatedAccount']
        }
      }
    }
  }
  'operator.accounts.sign_out': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered ACCOUNT_NOT_FOUND.
         * @example acc_5vX2mQ8rT1yW4zB7cD9eF3
         */
        accountId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "Reported as stolen."
         *     }
         */
        'application/json': components['schemas']['ReasonRequest']
      }
    }
    responses: {
      /** @description The account. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "accountId": "acc_5vX2mQ8rT1yW4zB7cD9eF3",
           *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
           *       "state": "active",
           *       "phoneMasked": "138****0001",
           *       "recoveryEmailMasked": "m***@example.com",
           *       "createdAt": "2026-09-01T08:00:00.000Z",
           *       "recoveryEmailState": "verified",
           *       "suspendedAt": null,
           *       "suspensionReason": null,
           *       "balance": {
           *         "available": 940,
           *         "reserved": 3,
           *         "settled": 57,
           *         "credited": 1000
           *       },
           *       "keys": [
           *         {
           *           "keyId": "key_7hJ2kM4nQ6rT8vX0zB3dF5",
           *           "displayPrefix": "gk_live_4tYz...9aQe",
           *           "revokedAt": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['OperatedAccount']
        }
      }
    }
  }
  'operator.accounts.recover': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered ACCOUNT_NOT_FOUND.
         * @example acc_5vX2mQ8rT1yW4zB7cD9eF3
         */
        accountId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "Reported as stolen."
         *     }
         */
        'application/json': components['schemas']['ReasonRequest']
      }
    }
    responses: {
      /** @description The account, and the link to pass on. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "accountId": "acc_5vX2mQ8rT1yW4zB7cD9eF3",
           *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
           *       "state": "active",
           *       "phoneMasked": "138****0001",
           *       "recoveryEmailMasked": "m***@example.com",
           *       "createdAt": "2026-09-01T08:00:00.000Z",
           *       "recoveryEmailState": "verified",
           *       "suspendedAt": null,
           *       "suspensionReason": null,
           *       "balance": {
           *         "available": 940,
           *         "reserved": 3,
           *         "settled": 57,
           *         "credited": 1000
           *       },
           *       "keys": [
           *         {
           *           "keyId": "key_7hJ2kM4nQ6rT8vX0zB3dF5",
           *           "displayPrefix": "gk_live_4tYz...9aQe",
           *           "revokedAt": null
           *         }
           *       ],
           *       "recovery": {
           *         "link": "https://gateway.example.com/console/recover#challenge=gvc_5vX2mQ8rT1yW4zB7cD9eF3",
           *         "expiresAt": "2026-09-03T09:05:00.000Z"
           *       }
           *     }
           */
          'application/json': components['schemas']['RecoveredAccount']
        }
      }
    }
  }
  'operator.keys.revoke': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered KEY_NOT_FOUND.
         * @example key_7hJ2kM4nQ6rT8vX0zB3dF5
         */
        keyId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "It was published."
         *     }
         */
        'application/json': components['schemas']['ReasonRequest']
      }
    }
    responses: {
      /** @description The key is revoked. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "keyId": "key_7hJ2kM4nQ6rT8vX0zB3dF5",
           *       "displayPrefix": "gk_live_4tYz...9aQe",
           *       "revokedAt": "2026-09-03T09:00:00.000Z",
           *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5"
           *     }
           */
          'application/json': components['schemas']['OperatedKeyAnswer']
        }
      }
    }
  }
  'operator.credits.grant': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
         *       "credits": 500,
         *       "reference": "bank transfer 20260903-118",
         *       "reason": "Paid by bank transfer."
         *     }
         */
        'application/json': components['schemas']['MoveCreditsRequest']
      }
    }
    responses: {
      /** @description Carried out, now or before. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
           *       "credits": 500,
           *       "reference": "bank transfer 20260903-118",
           *       "replayed": false,
           *       "balance": {
           *         "available": 1440,
           *         "reserved": 3
           *       }
           *     }
           */
          'application/json': components['schemas']['CreditsMoved']
        }
      }
      /** @description It waits for a second operator. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "approval": {
           *         "id": "apv_0M1n2O3p4Q5r6S7t8U9v",
           *         "state": "pending"
           *       }
           *     }
           */
          'application/json': components['schemas']['ApprovalPending']
        }
      }
    }
  }
  'operator.credits.withdraw': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
         *       "credits": 500,
         *       "reference": "bank transfer 20260903-118",
         *       "reason": "Paid by bank transfer."
         *     }
         */
        'application/json': components['schemas']['MoveCreditsRequest']
      }
    }
    responses: {
      /** @description Carried out, now or before. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
           *       "credits": 500,
           *       "reference": "bank transfer 20260903-118",
           *       "replayed": false,
           *       "balance": {
           *         "available": 1440,
           *         "reserved": 3
           *       }
           *     }
           */
          'application/json': components['schemas']['CreditsMoved']
        }
      }
      /** @description It waits for a second operator. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "approval": {
           *         "id": "apv_0M1n2O3p4Q5r6S7t8U9v",
           *         "state": "pending"
           *       }
           *     }
           */
          'application/json': components['schemas']['ApprovalPending']
        }
      }
    }
  }
  'operator.approvals.list': {
    parameters: {
      query?: {
        /** @description The nextAfter of the page before. */
        after?: string
        /** @description The most rows of a page. */
        limit?: number
        state?: 'pending' | 'approved' | 'rejected'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of them. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": "apv_0M1n2O3p4Q5r6S7t8U9v",
           *           "state": "pending",
           *           "kind": "grant",
           *           "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
           *           "credits": 50000,
           *           "reference": "bank transfer 20260903-119",
           *           "reason": "Paid by bank transfer.",
           *           "requestedBy": "mei",
           *           "requestedAt": "2026-09-03T09:00:00.000Z",
           *           "decidedBy": null,
           *           "decidedAt": null
           *         }
           *       ],
           *       "nextAfter": null
           *     }
           */
          'application/json': components['schemas']['ApprovalPage']
        }
      }
    }
  }
  'operator.approvals.approve': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered APPROVAL_NOT_FOUND.
         * @example apv_0M1n2O3p4Q5r6S7t8U9v
         */
        approvalId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "The transfer has arrived."
         *     }
         */
        'application/json': components['schemas']['OptionalReasonRequest']
      }
    }
    responses: {
      /** @description It is carried out. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "approval": {
           *         "id": "apv_0M1n2O3p4Q5r6S7t8U9v",
           *         "state": "approved"
           *       },
           *       "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
           *       "credits": 500,
           *       "reference": "bank transfer 20260903-118",
           *       "replayed": false,
           *       "balance": {
           *         "available": 1440,
           *         "reserved": 3
           *       }
           *     }
           */
          'application/json': components['schemas']['ApprovalCarriedOut']
        }
      }
    }
  }
  'operator.approvals.reject': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered APPROVAL_NOT_FOUND.
         * @example apv_0M1n2O3p4Q5r6S7t8U9v
         */
        approvalId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "The transfer has arrived."
         *     }
         */
        'application/json': components['schemas']['OptionalReasonRequest']
      }
    }
    responses: {
      /** @description It is rejected. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "approval": {
           *         "id": "apv_0M1n2O3p4Q5r6S7t8U9v",
           *         "state": "rejected"
           *       }
           *     }
           */
          'application/json': components['schemas']['ApprovalPending']
        }
      }
    }
  }
  'operator.reviews.list': {
    parameters: {
      query?: {
        /** @description The nextAfter of the page before. */
        after?: string
        /** @description The most rows of a page. */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of them. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "chargeId": "chg_0M1n2O3p4Q5r6S7t8U9v",
           *           "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
           *           "operation": "model.chat",
           *           "credits": 3,
           *           "requestId": "req_0M1n2O3p4Q5r6S7t8U9v",
           *           "reservedAt": "2026-09-03T08:30:00.000Z",
           *           "reason": {
           *             "code": "PROVIDER_TIMED_OUT",
           *             "text": "The provider did not respond in time."
           *           }
           *         }
           *       ],
           *       "nextAfter": null
           *     }
           */
          'application/json': components['schemas']['OpenReviewPage']
        }
      }
    }
  }
  'operator.reviews.decide': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "chargeIds": [
         *         "chg_0M1n2O3p4Q5r6S7t8U9v"
         *       ],
         *       "decision": "released",
         *       "reason": "The provider has no record of the call."
         *     }
         */
        'application/json': components['schemas']['DecideReviewsRequest']
      }
    }
    responses: {
      /** @description What became of each. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "chargeId": "chg_0M1n2O3p4Q5r6S7t8U9v",
           *           "decision": "released",
           *           "error": null,
           *           "earlier": null
           *         },
           *         {
           *           "chargeId": "chg_0M1n2O3p4Q5r6S7t8U9w",
           *           "decision": null,
           *           "error": {
           *             "code": "NOT_IN_REVIEW",
           *             "message": "chg_0M1n2O3p4Q5r6S7t8U9w is already settled, decided by ada at 2026-09-03T09:00:00.000Z: It was delivered."
           *           },
           *           "earlier": {
           *             "decision": "settled",
           *             "by": "ada",
           *             "at": "2026-09-03T09:00:00.000Z",
           *             "reason": "It was delivered."
           *           }
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['DecidedReviews']
        }
      }
    }
  }
  'operator.providers.list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The providers. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "kind": "model",
           *           "name": "model_provider_a",
           *           "adapter": "openai",
           *           "state": "in_service",
           *           "changedBy": null,
           *           "changedAt": null,
           *           "breaker": "closed",
           *           "underWay": 2,
           *           "maxConcurrent": 64,
           *           "outcomes": {
           *             "minutes": 15,
           *             "confirmed": 410,
           *             "refused": 1,
           *             "unavailable": 2,
           *             "uncertain": 0,
           *             "codes": [
           *               {
           *                 "code": "PROVIDER_RATE_LIMITED",
           *                 "calls": 2
           *               }
           *             ]
           *           }
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ProviderList']
        }
      }
    }
  }
  'operator.providers.take_out': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered PROVIDER_NOT_FOUND.
         * @example model
         */
        kind: string
        /**
         * @description Anything else is answered PROVIDER_NOT_FOUND.
         * @example model_provider_a
         */
        name: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "The vendor announced an outage."
         *     }
         */
        'application/json': components['schemas']['ReasonRequest']
      }
    }
    responses: {
      /** @description It is out of service. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "kind": "model",
           *       "name": "model_provider_a",
           *       "adapter": "openai",
           *       "state": "out_of_service",
           *       "changedBy": null,
           *       "changedAt": null,
           *       "breaker": "closed",
           *       "underWay": 2,
           *       "maxConcurrent": 64,
           *       "outcomes": {
           *         "minutes": 15,
           *         "confirmed": 410,
           *         "refused": 1,
           *         "unavailable": 2,
           *         "uncertain": 0,
           *         "codes": [
           *           {
           *             "code": "PROVIDER_RATE_LIMITED",
           *             "calls": 2
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['ProviderState']
        }
      }
    }
  }
  'operator.providers.put_back': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered PROVIDER_NOT_FOUND.
         * @example model
         */
        kind: string
        /**
         * @description Anything else is answered PROVIDER_NOT_FOUND.
         * @example model_provider_a
         */
        name: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "The outage is over."
         *     }
         */
        'application/json': components['schemas']['ReasonRequest']
      }
    }
    responses: {
      /** @description It is in service. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "kind": "model",
           *       "name": "model_provider_a",
           *       "adapter": "openai",
           *       "state": "in_service",
           *       "changedBy": null,
           *       "changedAt": null,
           *       "breaker": "closed",
           *       "underWay": 2,
           *       "maxConcurrent": 64,
           *       "outcomes": {
           *         "minutes": 15,
           *         "confirmed": 410,
           *         "refused": 1,
           *         "unavailable": 2,
           *         "uncertain": 0,
           *         "codes": [
           *           {
           *             "code": "PROVIDER_RATE_LIMITED",
           *             "calls": 2
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['ProviderState']
        }
      }
    }
  }
  'operator.audit.list': {
    parameters: {
      query?: {
        /** @description The nextAfter of the page before. */
        after?: string
        /** @description The most rows of a page. */
        limit?: number
        /** @description An operator. */
        by?: string
        /** @description An action, such as account.suspend. */
        action?: string
        /** @description The id acted on. */
        object?: string
        /** @description The first day, in Shanghai. */
        from?: string
        /** @description The last day, in Shanghai; it is included. */
        to?: string
        /** @description Which entries come first. */
        order?: 'newest' | 'oldest'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of entries. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": "aud_0M1n2O3p4Q5r6S7t8U9v",
           *           "at": "2026-09-03T09:00:00.000Z",
           *           "by": "mei",
           *           "via": "web",
           *           "action": "account.suspend",
           *           "object": "acc_5vX2mQ8rT1yW4zB7cD9eF3",
           *           "reason": "Reported as stolen.",
           *           "before": {
           *             "state": "active"
           *           },
           *           "after": {
           *             "state": "suspended",
           *             "sessionsEnded": 1
           *           },
           *           "seq": 118,
           *           "hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
           *         }
           *       ],
           *       "nextAfter": null
           *     }
           */
          'application/json': components['schemas']['AuditItemPage']
        }
      }
    }
  }
  'operator.audit.csv': {
    parameters: {
      query?: {
        /** @description An operator. */
        by?: string
        /** @description An action, such as account.suspend. */
        action?: string
        /** @description The id acted on. */
        object?: string
        /** @description The first day, in Shanghai. */
        from?: string
        /** @description The last day, in Shanghai; it is included. */
        to?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The entries that pass the filters. Columns: id, at (UTC), by, via, action, object, reason, before, after, seq, hash. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /** @example id,at (UTC),by,via,action,object,reason,before,after,seq,hash */
          'text/csv': string
        }
      }
    }
  }
  'operator.reconcile.list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The last runs. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "runId": "run_0M1n2O3p4Q5r6S7t8U9v",
           *           "startedBy": "mei",
           *           "startedAt": "2026-09-03T09:00:00.000Z",
           *           "finishedAt": "2026-09-03T09:00:02.000Z",
           *           "state": "different",
           *           "progress": null,
           *           "differenceCount": 1
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ReconcileRuns']
        }
      }
    }
  }
  'operator.reconcile.start': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyRequest']
      }
    }
    responses: {
      /** @description It has started. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "runId": "run_0M1n2O3p4Q5r6S7t8U9v",
           *       "startedBy": "mei",
           *       "startedAt": "2026-09-03T09:00:00.000Z",
           *       "finishedAt": null,
           *       "state": "running",
           *       "progress": {
           *         "rows": 0,
           *         "total": 0
           *       },
           *       "differenceCount": null
           *     }
           */
          'application/json': components['schemas']['ReconcileRun']
        }
      }
    }
  }
  'operator.reconcile.show': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered RECONCILE_RUN_NOT_FOUND.
         * @example run_0M1n2O3p4Q5r6S7t8U9v
         */
        runId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The run. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "runId": "run_0M1n2O3p4Q5r6S7t8U9v",
           *       "startedBy": "mei",
           *       "startedAt": "2026-09-03T09:00:00.000Z",
           *       "finishedAt": "2026-09-03T09:00:02.000Z",
           *       "state": "different",
           *       "progress": null,
           *       "differenceCount": 1,
           *       "size": {
           *         "projects": 3,
           *         "charges": 120,
           *         "orders": 4,
           *         "entries": 244
           *       },
           *       "differences": [
           *         {
           *           "invariant": "I6",
           *           "projectId": "prj_2kL6nP0qS3tU7vY9aC1dG5",
           *           "at": "balance",
           *           "what": "available",
           *           "expected": 940,
           *           "found": 941
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ReconcileResult']
        }
      }
    }
  }
  'operator.settings': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The settings of this instance, without secrets. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "key": "GATEWAY_ORIGIN",
           *           "value": "https://gateway.example"
           *         },
           *         {
           *           "key": "GATEWAY_SECRET",
           *           "value": "set"
           *         },
           *         {
           *           "key": "limits.callsPerKey.max",
           *           "value": 6000
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['EffectiveSettings']
        }
      }
    }
  }
  'operator.doctor': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The findings, at most 10 seconds old. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "checkedAt": "2026-09-03T09:00:00.000Z",
           *       "isHealthy": true,
           *       "findings": [
           *         {
           *           "check": "store",
           *           "level": "ok",
           *           "what": "the store responds and is writable",
           *           "remedy": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['DoctorReport']
        }
      }
    }
  }
  'operator.operators.list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The operators. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "name": "mei",
           *           "role": "support",
           *           "state": "active",
           *           "requestedBy": null,
           *           "createdAt": "2026-09-01T08:00:00.000Z",
           *           "disabledAt": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['OperatorList']
        }
      }
    }
  }
  'operator.operators.add': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "mei",
         *       "role": "support",
         *       "reason": "Joined the team."
         *     }
         */
        'application/json': components['schemas']['AddOperatorRequest']
      }
    }
    responses: {
      /** @description The new operator. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "name": "mei",
           *       "role": "support",
           *       "password": "vT3xQ9mB2nL7kR5wZ8pC",
           *       "totpUri": "otpauth://totp/API%20Relay%20Gateway:mei?secret=JBSWY3DPEHPK3PXP&issuer=API%20Relay%20Gateway",
           *       "state": "active"
           *     }
           */
          'application/json': components['schemas']['NewOperator']
        }
      }
    }
  }
  'operator.operators.disable': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered OPERATOR_NOT_FOUND.
         * @example mei
         */
        name: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "Left the team."
         *     }
         */
        'application/json': components['schemas']['ReasonRequest']
      }
    }
    responses: {
      /** @description The operator. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "name": "mei",
           *       "role": "support",
           *       "state": "disabled",
           *       "requestedBy": null,
           *       "createdAt": "2026-09-01T08:00:00.000Z",
           *       "disabledAt": "2026-09-03T09:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['ListedOperator']
        }
      }
    }
  }
  'operator.operators.reset': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered OPERATOR_NOT_FOUND.
         * @example mei
         */
        name: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "Lost the phone."
         *     }
         */
        'application/json': components['schemas']['ReasonRequest']
      }
    }
    responses: {
      /** @description The new credentials. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "name": "mei",
           *       "role": "support",
           *       "password": "vT3xQ9mB2nL7kR5wZ8pC",
           *       "totpUri": "otpauth://totp/API%20Relay%20Gateway:mei?secret=JBSWY3DPEHPK3PXP&issuer=API%20Relay%20Gateway",
           *       "state": "active"
           *     }
           */
          'application/json': components['schemas']['NewOperator']
        }
      }
    }
  }
  'operator.operators.approve': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered OPERATOR_NOT_FOUND.
         * @example mei
         */
        name: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "Seen in person."
         *     }
         */
        'application/json': components['schemas']['OptionalReasonRequest']
      }
    }
    responses: {
      /** @description The operator. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "name": "mei",
           *       "role": "support",
           *       "state": "active",
           *       "requestedBy": null,
           *       "createdAt": "2026-09-01T08:00:00.000Z",
           *       "disabledAt": null
           *     }
           */
          'application/json': components['schemas']['ListedOperator']
        }
      }
    }
  }
  'operator.operators.reject': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered OPERATOR_NOT_FOUND.
         * @example mei
         */
        name: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "Seen in person."
         *     }
         */
        'application/json': components['schemas']['OptionalReasonRequest']
      }
    }
    responses: {
      /** @description The operator. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "name": "mei",
           *       "role": "support",
           *       "state": "active",
           *       "requestedBy": null,
           *       "createdAt": "2026-09-01T08:00:00.000Z",
           *       "disabledAt": null
           *     }
           */
          'application/json': components['schemas']['ListedOperator']
        }
      }
    }
  }
}
