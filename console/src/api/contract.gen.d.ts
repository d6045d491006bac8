// Made from the contract: kByeXjHE7z_7qYNt61JYW_m4DPtBbqcrYUYsvPBAxGk
export interface paths {
  '/auth/send-code': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a verification code
     * @description Sends a 6-digit code by SMS. It is valid for 300 seconds, 5 attempts and one use. A new one can be requested after 60 seconds and replaces it. The response does not reveal whether the phone has an account.
     */
    post: operations['auth.send_code']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/register': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Register an account
     * @description Consumes the code and creates the account, its personal project and a session, all or nothing. If the connection fails, try to log in before you repeat it.
     */
    post: operations['auth.register']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/login': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Log in
     * @description Starts a new session and ends the current one. Unknown, pending and wrong credentials get the same response.
     */
    post: operations['auth.login']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/logout': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Log out
     * @description Ends the session on the server and clears the cookie.
     */
    post: operations['auth.logout']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/pricing': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read the price list
     * @description The rate of credits, the recharge limits, the price of each billable operation and the charging rules.
     */
    get: operations['pricing.get']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/plans': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read the price list (old path)
     * @deprecated
     * @description Deprecated in favour of GET /v1/pricing. There are no fixed plans.
     */
    get: operations['plans.get']
    put?: never
    post?: never
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
     * Read the current account
     * @description Account, project, credits, recent orders and keys. Each read returns a new CSRF token that replaces the previous one.
     */
    get: operations['account.get']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/keys': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the keys
     * @description Metadata only; the plaintext of a key is never shown again.
     */
    get: operations['keys.list']
    put?: never
    /**
     * Create a key
     * @description Each success creates a new key and shows its plaintext once. If you did not receive it, revoke the key and create another.
     */
    post: operations['keys.create']
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
     * @description The next call with the key is refused. After an uncertain result, list the keys first.
     */
    post: operations['keys.revoke']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/orders': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a recharge order
     * @description Fixes the amount, the rate and the price version. The same Idempotency-Key with the same amount returns the same order.
     */
    post: operations['orders.create']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/orders/{orderId}/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Confirm a recharge order
     * @description Simulates the payment and credits the project exactly once. For local acceptance only: it is not evidence of a real payment.
     */
    post: operations['orders.confirm']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/agent/run': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Run a tool
     * @description Runs one pick operation on behalf of an agent, for one fixed price. It cannot create links.
     *
     *     Costs 5 credits (CNY 0.50). Needs a key with the scope `agent:run`.
     */
    post: operations['agent.run']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/models/chat': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Ask a model
     * @description Forwards one prompt to a model provider and returns its output.
     *
     *     Costs 3 credits (CNY 0.30). Needs a key with the scope `models:invoke`.
     */
    post: operations['model.chat']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/shopping/search': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Search the shops
     * @description Returns at most three items. Results are cached per project; a cached result costs the same.
     *
     *     Costs 2 credits (CNY 0.20). Needs a key with the scope `shopping:search`.
     */
    post: operations['shopping.search']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/pick/compare': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Compare items
     * @description Puts two or three items side by side by price, availability and highlights.
     *
     *     Costs 3 credits (CNY 0.30). Needs a key with the scope `pick:read`.
     */
    post: operations['pick.compare']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/pick/filter': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Filter items
     * @description Keeps the items that meet the criteria, out of items that a search returned to this project.
     *
     *     Costs 2 credits (CNY 0.20). Needs a key with the scope `pick:read`.
     */
    post: operations['pick.filter']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/pick/links': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Get links to items
     * @description Returns an https link for each item, or none at all. Show the disclosure with the links.
     *
     *     Costs 1 credits (CNY 0.10). Needs a key with the scope `pick:link`.
     */
    post: operations['pick.links']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/pick/prepurchase-review': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Review an item before buying
     * @description Lists what is known about an item and what has to be checked elsewhere.
     *
     *     Costs 1 credits (CNY 0.10). Needs a key with the scope `pick:read`.
     */
    post: operations['pick.prepurchase_review']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/pick/recommend': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rank items
     * @description Orders items best first by a fixed rule: the same items and preferences always give the same order.
     *
     *     Costs 3 credits (CNY 0.30). Needs a key with the scope `pick:read`.
     */
    post: operations['pick.recommend']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/pick/search': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Search for items to pick from
     * @description Like shopping.search. The other pick operations of the same project can read the items it returns.
     *
     *     Costs 2 credits (CNY 0.20). Needs a key with the scope `pick:read`.
     */
    post: operations['pick.search']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/overview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See where the project stands
     * @description See where the project stands.
     */
    get: operations['console.overview']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/usage': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the billable calls
     * @description Newest first. With a filter a page can be shorter than its limit, even empty, while nextCursor says that there is more to look through.
     */
    get: operations['console.usage.list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/usage/daily': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See what was settled by day and operation
     * @description Calls and credits by the day of the settlement. With `keyId` or `state`: of the calls that pass the filter (settled ones, where no state is named), by the day of the reservation.
     */
    get: operations['console.usage.daily']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/usage/{chargeId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read the receipt of a call
     * @description Read the receipt of a call.
     */
    get: operations['console.usage.receipt']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/reviews': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the calls held for review
     * @description Newest first. Their credits stay reserved until an operator decides.
     */
    get: operations['console.reviews.list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/ledger': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the entries of the ledger
     * @description Newest first, each with the balance after it. With a filter a page can be shorter than its limit, even empty, while nextCursor says that there is more to look through.
     */
    get: operations['console.ledger.list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/usage.csv': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Download the billable calls as CSV
     * @description UTF-8 with a byte order mark, times in Asia/Shanghai, newest first. A cell that a spreadsheet could take for a formula begins with an apostrophe.
     *
     *     At most 100000 rows, and with a filter no more than a bounded part of the ledger: the last line of a file that is cut begins with `This file was cut after`; ask for fewer days. The file is sent in chunks, at the speed of its reader. A project reads one file at a time; one more is answered 429.
     */
    get: operations['console.usage.csv']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/ledger.csv': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Download the ledger as CSV
     * @description UTF-8 with a byte order mark, times in Asia/Shanghai, newest first. A cell that a spreadsheet could take for a formula begins with an apostrophe.
     *
     *     At most 100000 rows, and with a filter no more than a bounded part of the ledger: the last line of a file that is cut begins with `This file was cut after`; ask for fewer days. The file is sent in chunks, at the speed of its reader. A project reads one file at a time; one more is answered 429.
     */
    get: operations['console.ledger.csv']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/models': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See which providers and models can be called
     * @description See which providers and models can be called.
     */
    get: operations['console.models.list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/orders': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the recharge orders
     * @description List the recharge orders.
     */
    get: operations['console.orders.list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/orders/{orderId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a recharge order
     * @description Read a recharge order.
     */
    get: operations['console.orders.read']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/keys': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the keys and their use
     * @description The metadata of GET /v1/keys, with the settings of each key and its use. The keys of a rotation chain share one budget.
     */
    get: operations['console.keys.list']
    put?: never
    /**
     * Create a key with a name, a budget and allowed addresses
     * @description A call that would exceed the budget is refused with 402 before anything is forwarded. Reserved and settled credits count; released ones come back. A budget counts from when it is set.
     */
    post: operations['console.keys.create']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/keys/{keyId}/update': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change the settings of a key
     * @description A field that is left out stays as it is; null clears it. The budget is that of the whole rotation chain: other credits keep its count, another period starts a new one.
     */
    post: operations['console.keys.update']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/keys/{keyId}/rotate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replace a key
     * @description Creates a key with the same settings. The old one expires after the grace period and is refused from then on with 401 KEY_EXPIRED. All keys of a rotation chain share one budget.
     */
    post: operations['console.keys.rotate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/media/jobs': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the media jobs
     * @description List the media jobs.
     */
    get: operations['console.media.list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/media/jobs/{jobId}/content': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Fetch the clip of a job
     * @description Fetch the clip of a job.
     */
    get: operations['console.media.content']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/media/jobs/{jobId}/cancel': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Cancel a media job
     * @description Cancel a media job.
     */
    post: operations['console.media.cancel']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List what happened to the project
     * @description Newest first. Events are kept for 90 days.
     */
    get: operations['console.events.list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/events/read': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Mark all events as read
     * @description Mark all events as read.
     */
    post: operations['console.events.read']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/alerts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See which events are sent by email or SMS
     * @description By default low balance, reviews and security are sent to the verified recovery email, or by SMS where there is none.
     */
    get: operations['console.alerts.read']
    put?: never
    /**
     * Choose which events are sent by email or SMS
     * @description Replaces all settings. A changed password and a sign-in from a new address are always told to every verified contact, whatever is chosen here.
     */
    post: operations['console.alerts.save']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/webhooks': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the webhooks
     * @description List the webhooks.
     */
    get: operations['console.webhooks.list']
    put?: never
    /**
     * Create a webhook
     * @description Events of these types are sent to the URL from now on, as POST requests signed after the Standard Webhooks specification. The secret is shown once.
     */
    post: operations['console.webhooks.create']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/webhooks/{webhookId}/update': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change a webhook, or switch it on or off
     * @description A field that is left out stays as it is. While it is disabled, nothing is sent and no new event is kept for it.
     */
    post: operations['console.webhooks.update']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/webhooks/{webhookId}/delete': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Delete a webhook and its deliveries
     * @description Delete a webhook and its deliveries.
     */
    post: operations['console.webhooks.delete']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/webhooks/{webhookId}/rotate-secret': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replace the secret of a webhook
     * @description For 24 hours, messages are signed with both secrets.
     */
    post: operations['console.webhooks.rotate_secret']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/webhooks/{webhookId}/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a test event
     * @description Sends an event of the type `webhook.test`, once. It is not retried. At most three may wait.
     */
    post: operations['console.webhooks.test']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/webhooks/{webhookId}/deliveries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the last 50 deliveries
     * @description Newest first.
     */
    get: operations['console.webhooks.deliveries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send an event again
     * @description With the same webhook-id and body, as a new delivery.
     */
    post: operations['console.webhooks.redeliver']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/sessions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the active sign-ins
     * @description List the active sign-ins.
     */
    get: operations['console.sessions.list']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/sessions/end-all': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign out everywhere
     * @description Ends every sign-in of the account, the one that asks included, and clears its cookie.
     */
    post: operations['console.sessions.end_all']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/sessions/{sessionId}/end': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * End one sign-in
     * @description Ending the sign-in that asks logs out: its cookie is cleared.
     */
    post: operations['console.sessions.end']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/recovery-email': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replace the recovery email
     * @description Needs the password; a wrong one counts as a failed login. The new address is pending until it is verified, and codes sent to the old one end. The address that is already verified stays verified.
     */
    post: operations['console.recovery_email.replace']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/recovery-email/send-code': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a code to the recovery email
     * @description The 6-digit code is valid for 1800 seconds, 5 attempts and one use. A new one can be requested after 60 seconds and replaces it. An address that is already verified is answered 409.
     */
    post: operations['console.recovery_email.send_code']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/recovery-email/verify': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Verify the recovery email
     * @description From then on the address can log in and recover the account. One address can be verified by one account only.
     */
    post: operations['console.recovery_email.verify']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/console/password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change the password
     * @description Ends every other sign-in of the account. A wrong current password counts as a failed login. One of the most common passwords is refused.
     */
    post: operations['console.password.change']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/recovery/send-code': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a code to recover an account
     * @description By SMS to a phone, by email to a verified recovery email. The 8-digit code is valid for 300 seconds, 5 attempts and one use; the last three of a contact are valid. After 20 wrong codes in a day for one contact, 10 of them from one address, no further one is sent or accepted there until the day ends (429). The response does not reveal whether there is such an account.
     */
    post: operations['auth.recovery.send_code']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/recovery/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Set a new password with a code
     * @description Ends every sign-in and every open code of the account; its API keys stay valid. It does not sign in: log in with the new password. One of the most common passwords is refused.
     */
    post: operations['auth.recovery.confirm']
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
     * Account
     * @example {
     *       "accountId": "acc_7hT2mQ9xLd4R",
     *       "identitySubject": "idp_5bN8vW1kYc3Z",
     *       "phoneMasked": "138****5678",
     *       "recoveryEmailMasked": "l***@example.com",
     *       "recoveryEmailState": "pending_verification"
     *     }
     */
    Account: {
      accountId: string
      /** @description Immutable subject of the identity provider. */
      identitySubject: string
      phoneMasked: string
      recoveryEmailMasked: string
      /** @enum {string} */
      recoveryEmailState: 'pending_verification' | 'verified'
    }
    /**
     * AgentCompareArguments
     * @example {
     *       "operation": "compare",
     *       "payload": {
     *         "itemRefs": [
     *           {
     *             "provider": "shop",
     *             "productId": "a-1001"
     *           },
     *           {
     *             "productId": "b-2044"
     *           }
     *         ]
     *       }
     *     }
     */
    AgentCompareArguments: {
      /**
       * @description Else `TOOL_OPERATION_NOT_ALLOWED`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      operation: 'compare'
      payload: components['schemas']['CompareRequest']
    }
    /**
     * AgentCompareResult
     * @example {
     *       "operation": "compare",
     *       "result": {
     *         "items": [
     *           {
     *             "itemRef": {
     *               "provider": "shop",
     *               "productId": "a-1001"
     *             },
     *             "title": "不锈钢保温杯 500ml",
     *             "priceCents": 4900,
     *             "currency": "CNY",
     *             "availability": "available",
     *             "highlights": [
     *               "304 不锈钢",
     *               "防漏杯盖"
     *             ],
     *             "reason": "标题与“保温杯”相符",
     *             "testOnly": true
     *           },
     *           {
     *             "itemRef": {
     *               "productId": "b-2044"
     *             },
     *             "title": "便携保温杯 350ml",
     *             "priceCents": 3900,
     *             "currency": "CNY",
     *             "availability": "available",
     *             "highlights": [
     *               "304 不锈钢",
     *               "防漏杯盖"
     *             ],
     *             "reason": "标题与“保温杯”相符",
     *             "testOnly": true
     *           }
     *         ],
     *         "dimensions": [
     *           "priceCents",
     *           "availability",
     *           "highlights"
     *         ],
     *         "mode": "local-mock"
     *       }
     *     }
     */
    AgentCompareResult: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      operation: 'compare'
      result: components['schemas']['CompareData']
    }
    /**
     * AgentData
     * @example {
     *       "tool": "pick.assist",
     *       "result": {
     *         "operation": "search",
     *         "result": {
     *           "query": "保温杯",
     *           "items": [
     *             {
     *               "itemRef": {
     *                 "productId": "b-2044"
     *               },
     *               "title": "便携保温杯 350ml",
     *               "priceCents": 3900,
     *               "currency": "CNY",
     *               "availability": "available",
     *               "highlights": [
     *                 "304 不锈钢",
     *                 "防漏杯盖"
     *               ],
     *               "reason": "标题与“保温杯”相符",
     *               "testOnly": true
     *             },
     *             {
     *               "itemRef": {
     *                 "provider": "shop",
     *                 "productId": "a-1001"
     *               },
     *               "title": "不锈钢保温杯 500ml",
     *               "priceCents": 4900,
     *               "currency": "CNY",
     *               "availability": "available",
     *               "highlights": [
     *                 "304 不锈钢",
     *                 "防漏杯盖"
     *               ],
     *               "reason": "标题与“保温杯”相符",
     *               "testOnly": true
     *             }
     *           ],
     *           "mode": "local-mock"
     *         }
     *       }
     *     }
     */
    AgentData: {
      /** @constant */
      tool: 'pick.assist'
      result:
        | components['schemas']['AgentSearchResult']
        | components['schemas']['AgentFilterResult']
        | components['schemas']['AgentCompareResult']
        | components['schemas']['AgentRecommendResult']
        | components['schemas']['AgentPrepurchaseReviewResult']
    }
    /**
     * AgentFilterArguments
     * @example {
     *       "operation": "filter",
     *       "payload": {
     *         "itemRefs": [
     *           {
     *             "provider": "shop",
     *             "productId": "a-1001"
     *           },
     *           {
     *             "productId": "b-2044"
     *           }
     *         ],
     *         "criteria": {
     *           "maxPriceCents": 4000
     *         }
     *       }
     *     }
     */
    AgentFilterArguments: {
      /**
       * @description Else `TOOL_OPERATION_NOT_ALLOWED`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      operation: 'filter'
      payload: components['schemas']['FilterRequest']
    }
    /**
     * AgentFilterResult
     * @example {
     *       "operation": "filter",
     *       "result": {
     *         "items": [
     *           {
     *             "itemRef": {
     *               "productId": "b-2044"
     *             },
     *             "title": "便携保温杯 350ml",
     *             "priceCents": 3900,
     *             "currency": "CNY",
     *             "availability": "available",
     *             "highlights": [
     *               "304 不锈钢",
     *               "防漏杯盖"
     *             ],
     *             "reason": "标题与“保温杯”相符",
     *             "testOnly": true
     *           }
     *         ],
     *         "criteria": {
     *           "maxPriceCents": 4000
     *         },
     *         "mode": "local-mock"
     *       }
     *     }
     */
    AgentFilterResult: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      operation: 'filter'
      result: components['schemas']['FilterData']
    }
    /**
     * AgentPrepurchaseReviewArguments
     * @example {
     *       "operation": "prepurchase_review",
     *       "payload": {
     *         "itemRef": {
     *           "provider": "shop",
     *           "productId": "a-1001"
     *         },
     *         "requirements": [
     *           "24 小时保温"
     *         ]
     *       }
     *     }
     */
    AgentPrepurchaseReviewArguments: {
      /**
       * @description Else `TOOL_OPERATION_NOT_ALLOWED`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      operation: 'prepurchase_review'
      payload: components['schemas']['PrepurchaseReviewRequest']
    }
    /**
     * AgentPrepurchaseReviewResult
     * @example {
     *       "operation": "prepurchase_review",
     *       "result": {
     *         "itemRef": {
     *           "provider": "shop",
     *           "productId": "a-1001"
     *         },
     *         "summary": "价格和库存来自最近一次搜索，其余需要在购买前核实。",
     *         "checks": [
     *           {
     *             "code": "price",
     *             "status": "known",
     *             "message": "4900"
     *           },
     *           {
     *             "code": "requirement_1",
     *             "status": "unknown",
     *             "message": "无法从搜索结果确认：24 小时保温"
     *           }
     *         ],
     *         "limitations": [
     *           "价格和库存可能在搜索之后变化。"
     *         ],
     *         "mode": "local-mock"
     *       }
     *     }
     */
    AgentPrepurchaseReviewResult: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      operation: 'prepurchase_review'
      result: components['schemas']['PrepurchaseReviewData']
    }
    /**
     * AgentRecommendArguments
     * @example {
     *       "operation": "recommend",
     *       "payload": {
     *         "itemRefs": [
     *           {
     *             "provider": "shop",
     *             "productId": "a-1001"
     *           },
     *           {
     *             "productId": "b-2044"
     *           }
     *         ],
     *         "preferences": {
     *           "priority": "price"
     *         }
     *       }
     *     }
     */
    AgentRecommendArguments: {
      /**
       * @description Else `TOOL_OPERATION_NOT_ALLOWED`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      operation: 'recommend'
      payload: components['schemas']['RecommendRequest']
    }
    /**
     * AgentRecommendResult
     * @example {
     *       "operation": "recommend",
     *       "result": {
     *         "items": [
     *           {
     *             "itemRef": {
     *               "productId": "b-2044"
     *             },
     *             "title": "便携保温杯 350ml",
     *             "priceCents": 3900,
     *             "currency": "CNY",
     *             "availability": "available",
     *             "highlights": [
     *               "304 不锈钢",
     *               "防漏杯盖"
     *             ],
     *             "reason": "标题与“保温杯”相符",
     *             "testOnly": true
     *           },
     *           {
     *             "itemRef": {
     *               "provider": "shop",
     *               "productId": "a-1001"
     *             },
     *             "title": "不锈钢保温杯 500ml",
     *             "priceCents": 4900,
     *             "currency": "CNY",
     *             "availability": "available",
     *             "highlights": [
     *               "304 不锈钢",
     *               "防漏杯盖"
     *             ],
     *             "reason": "标题与“保温杯”相符",
     *             "testOnly": true
     *           }
     *         ],
     *         "preferences": {
     *           "priority": "price"
     *         },
     *         "method": "deterministic-local-rule",
     *         "mode": "local-mock"
     *       }
     *     }
     */
    AgentRecommendResult: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      operation: 'recommend'
      result: components['schemas']['RecommendData']
    }
    /**
     * AgentRequest
     * @example {
     *       "tool": "pick.assist",
     *       "arguments": {
     *         "operation": "search",
     *         "payload": {
     *           "query": "保温杯",
     *           "filters": {
     *             "maxPriceCents": 10000
     *           },
     *           "sort": "price_asc",
     *           "limit": 2
     *         }
     *       }
     *     }
     */
    AgentRequest: {
      /**
       * @description Else `TOOL_NOT_ALLOWED`.
       * @constant
       */
      tool: 'pick.assist'
      /** @description Else `INVALID_ARGUMENTS`. */
      arguments:
        | components['schemas']['AgentSearchArguments']
        | components['schemas']['AgentFilterArguments']
        | components['schemas']['AgentCompareArguments']
        | components['schemas']['AgentRecommendArguments']
        | components['schemas']['AgentPrepurchaseReviewArguments']
    }
    /**
     * AgentSearchArguments
     * @example {
     *       "operation": "search",
     *       "payload": {
     *         "query": "保温杯",
     *         "filters": {
     *           "maxPriceCents": 10000
     *         },
     *         "sort": "price_asc",
     *         "limit": 2
     *       }
     *     }
     */
    AgentSearchArguments: {
      /**
       * @description Else `TOOL_OPERATION_NOT_ALLOWED`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      operation: 'search'
      payload: components['schemas']['SearchRequest']
    }
    /**
     * AgentSearchResult
     * @example {
     *       "operation": "search",
     *       "result": {
     *         "query": "保温杯",
     *         "items": [
     *           {
     *             "itemRef": {
     *               "productId": "b-2044"
     *             },
     *             "title": "便携保温杯 350ml",
     *             "priceCents": 3900,
     *             "currency": "CNY",
     *             "availability": "available",
     *             "highlights": [
     *               "304 不锈钢",
     *               "防漏杯盖"
     *             ],
     *             "reason": "标题与“保温杯”相符",
     *             "testOnly": true
     *           },
     *           {
     *             "itemRef": {
     *               "provider": "shop",
     *               "productId": "a-1001"
     *             },
     *             "title": "不锈钢保温杯 500ml",
     *             "priceCents": 4900,
     *             "currency": "CNY",
     *             "availability": "available",
     *             "highlights": [
     *               "304 不锈钢",
     *               "防漏杯盖"
     *             ],
     *             "reason": "标题与“保温杯”相符",
     *             "testOnly": true
     *           }
     *         ],
     *         "mode": "local-mock"
     *       }
     *     }
     */
    AgentSearchResult: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      operation: 'search'
      result: components['schemas']['SearchData']
    }
    /**
     * AgentUsage
     * @example {
     *       "toolCalls": 1
     *     }
     */
    AgentUsage: {
      /** @constant */
      toolCalls: 1
    }
    /**
     * AuthResponse
     * @example {
     *       "account": {
     *         "accountId": "acc_7hT2mQ9xLd4R",
     *         "identitySubject": "idp_5bN8vW1kYc3Z",
     *         "phoneMasked": "138****5678",
     *         "recoveryEmailMasked": "l***@example.com",
     *         "recoveryEmailState": "pending_verification"
     *       },
     *       "project": {
     *         "projectId": "prj_6wE1pU3yGo9K"
     *       },
     *       "session": {
     *         "expiresAt": "2026-09-03T20:00:00.000Z"
     *       },
     *       "csrfToken": "q3VtT1c2a0dYb2RyV2hLZQ",
     *       "redirectTo": "/console"
     *     }
     */
    AuthResponse: {
      account: components['schemas']['Account']
      project: components['schemas']['Project']
      session: components['schemas']['Session']
      /** @description Send it back as X-CSRF-Token. */
      csrfToken: string
      /** @enum {string} */
      redirectTo: '/console' | '/gateway/console'
    }
    /**
     * Challenge
     * @example {
     *       "challengeId": "gvc_8nM3bK6qTz5X",
     *       "expiresInSeconds": 300,
     *       "resendAfterSeconds": 60
     *     }
     */
    Challenge: {
      challengeId: string
      /** @constant */
      expiresInSeconds: 300
      /** @constant */
      resendAfterSeconds: 60
    }
    /**
     * ChargePolicy
     * @example {
     *       "reserve": "The fixed price is reserved from the available credits before anything is forwarded.",
     *       "settle": "A confirmed result settles the reservation exactly once.",
     *       "release": "A confirmed failure releases the reservation in full.",
     *       "manualReview": "An uncertain outcome stays reserved as manual_review until an operator decides; it is never retried automatically.",
     *       "idempotentReplay": "The same Idempotency-Key with the same request returns the stored result without a second charge.",
     *       "idempotencyConflict": "The same Idempotency-Key with a different request is refused with 409 IDEMPOTENCY_CONFLICT.",
     *       "insufficientCredits": "A call that costs more than the available credits is refused with 402 INSUFFICIENT_PAID_CREDITS and nothing is forwarded."
     *     }
     */
    ChargePolicy: {
      reserve: string
      settle: string
      release: string
      manualReview: string
      idempotentReplay: string
      idempotencyConflict: string
      insufficientCredits: string
    }
    /**
     * ChatData
     * @example {
     *       "provider": "model",
     *       "model": "local-small",
     *       "output": "杭州是一座以西湖闻名的城市。"
     *     }
     */
    ChatData: {
      /** @enum {string} */
      provider: 'model'
      model: string
      output: string
    }
    /**
     * ChatRequest
     * @example {
     *       "prompt": "用一句话介绍杭州。",
     *       "provider": "model"
     *     }
     */
    ChatRequest: {
      /** @description Else `INVALID_PROMPT`. */
      prompt: string
      /**
       * @description Else `PROVIDER_NOT_ALLOWED`.
       * @enum {string}
       */
      provider?: 'model'
      /** @description An alias of the provider; its first by default. Else `INVALID_MODEL`. */
      model?: string
    }
    /**
     * ChatUsage
     * @description Units are not money.
     * @example {
     *       "inputUnits": 9,
     *       "outputUnits": 14,
     *       "totalUnits": 23
     *     }
     */
    ChatUsage: {
      inputUnits: number
      outputUnits: number
      totalUnits: number
    }
    /**
     * CompareData
     * @example {
     *       "items": [
     *         {
     *           "itemRef": {
     *             "provider": "shop",
     *             "productId": "a-1001"
     *           },
     *           "title": "不锈钢保温杯 500ml",
     *           "priceCents": 4900,
     *           "currency": "CNY",
     *           "availability": "available",
     *           "highlights": [
     *             "304 不锈钢",
     *             "防漏杯盖"
     *           ],
     *           "reason": "标题与“保温杯”相符",
     *           "testOnly": true
     *         },
     *         {
     *           "itemRef": {
     *             "productId": "b-2044"
     *           },
     *           "title": "便携保温杯 350ml",
     *           "priceCents": 3900,
     *           "currency": "CNY",
     *           "availability": "available",
     *           "highlights": [
     *             "304 不锈钢",
     *             "防漏杯盖"
     *           ],
     *           "reason": "标题与“保温杯”相符",
     *           "testOnly": true
     *         }
     *       ],
     *       "dimensions": [
     *         "priceCents",
     *         "availability",
     *         "highlights"
     *       ],
     *       "mode": "local-mock"
     *     }
     */
    CompareData: {
      items: components['schemas']['Item'][]
      dimensions: ('priceCents' | 'availability' | 'highlights')[]
      /**
       * @description Whether the result is a local fixture.
       * @enum {string}
       */
      mode: 'local-mock' | 'pick-http'
    }
    /**
     * CompareRequest
     * @example {
     *       "itemRefs": [
     *         {
     *           "provider": "shop",
     *           "productId": "a-1001"
     *         },
     *         {
     *           "productId": "b-2044"
     *         }
     *       ]
     *     }
     */
    CompareRequest: {
      /** @description Distinct items that a search returned to this project. Else `INVALID_ITEM_REFS`. */
      itemRefs: components['schemas']['ItemRef'][]
    }
    /**
     * ConfirmedOrder
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
     *       "creditedAt": "2026-09-03T08:06:30.000Z",
     *       "creditLotId": "lot_2gX5rC8zJe6F",
     *       "creditedAmount": 200,
     *       "creditKind": "simulated_prepaid",
     *       "idempotentReplay": false
     *     }
     */
    ConfirmedOrder: {
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
      /** @constant */
      state: 'credited'
      /** @constant */
      paymentMode: 'local-simulated'
      /** Format: date-time */
      createdAt: string
      simulatedPaidAt: string | null
      creditedAt: string | null
      creditLotId: string | null
      creditedAmount: number
      /** @constant */
      creditKind: 'simulated_prepaid'
      /** @description True when a stored result is replayed. */
      idempotentReplay: boolean
    }
    /**
     * CreateKeyRequest
     * @example {
     *       "scopes": [
     *         "models:invoke",
     *         "pick:read"
     *       ]
     *     }
     */
    CreateKeyRequest: {
      /** @description Else `INVALID_SCOPE`. */
      scopes: ('models:invoke' | 'shopping:search' | 'pick:read' | 'pick:link' | 'agent:run' | 'media:run')[]
    }
    /**
     * CreateOrderRequest
     * @example {
     *       "amountFen": 2000
     *     }
     */
    CreateOrderRequest: {
      /** @description Else `RECHARGE_AMOUNT_INVALID`. */
      amountFen: number
    }
    /**
     * CreatedKey
     * @example {
     *       "keyId": "key_3fQ7sJ8wMa2P",
     *       "apiKey": "gk_live_<43 characters, shown once>",
     *       "displayPrefix": "gk_live_Ab3x...9TzK",
     *       "scopes": [
     *         "models:invoke",
     *         "pick:read"
     *       ],
     *       "state": "active",
     *       "expiresAt": null,
     *       "rotatedFromKeyId": null,
     *       "shownOnce": true
     *     }
     */
    CreatedKey: {
      keyId: string
      /** @description The plaintext key. It is shown only once. */
      apiKey: string
      /** @description Start and end of the key; not usable as a credential. */
      displayPrefix: string
      scopes: ('models:invoke' | 'shopping:search' | 'pick:read' | 'pick:link' | 'agent:run' | 'media:run')[]
      /** @constant */
      state: 'active'
      expiresAt: string | null
      rotatedFromKeyId: string | null
      /** @constant */
      shownOnce: true
    }
    /**
     * CreatedOrder
     * @example {
     *       "orderId": "ord_9kD4nV6tHs1B",
     *       "amountFen": 2000,
     *       "creditAmount": 200,
     *       "currency": "CNY",
     *       "creditsPerYuan": 10,
     *       "yuanPerCredit": "0.10",
     *       "pricingVersion": "gateway-custom-cny-10credits-v1",
     *       "state": "pending",
     *       "paymentMode": "local-simulated",
     *       "createdAt": "2026-09-03T08:06:00.000Z",
     *       "simulatedPaidAt": null,
     *       "creditedAt": null,
     *       "idempotentReplay": false
     *     }
     */
    CreatedOrder: {
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
      /** @description True when a stored result is replayed. */
      idempotentReplay: boolean
    }
    /**
     * Credits
     * @example {
     *       "available": 194,
     *       "reserved": 3
     *     }
     */
    Credits: {
      available: number
      reserved: number
    }
    /**
     * CurrentAccount
     * @example {
     *       "accountId": "acc_7hT2mQ9xLd4R",
     *       "identitySubject": "idp_5bN8vW1kYc3Z",
     *       "phoneMasked": "138****5678",
     *       "recoveryEmailMasked": "l***@example.com",
     *       "recoveryEmailState": "pending_verification",
     *       "name": "Personal account"
     *     }
     */
    CurrentAccount: {
      accountId: string
      /** @description Immutable subject of the identity provider. */
      identitySubject: string
      phoneMasked: string
      recoveryEmailMasked: string
      /** @enum {string} */
      recoveryEmailState: 'pending_verification' | 'verified'
      name: string
    }
    /**
     * CurrentProject
     * @example {
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "name": "Personal project"
     *     }
     */
    CurrentProject: {
      projectId: string
      name: string
    }
    /**
     * EmptyRequest
     * @example {}
     */
    EmptyRequest: Record<string, never>
    /**
     * FilterData
     * @example {
     *       "items": [
     *         {
     *           "itemRef": {
     *             "productId": "b-2044"
     *           },
     *           "title": "便携保温杯 350ml",
     *           "priceCents": 3900,
     *           "currency": "CNY",
     *           "availability": "available",
     *           "highlights": [
     *             "304 不锈钢",
     *             "防漏杯盖"
     *           ],
     *           "reason": "标题与“保温杯”相符",
     *           "testOnly": true
     *         }
     *       ],
     *       "criteria": {
     *         "maxPriceCents": 4000
     *       },
     *       "mode": "local-mock"
     *     }
     */
    FilterData: {
      items: components['schemas']['Item'][]
      criteria: components['schemas']['PriceCriteria']
      /**
       * @description Whether the result is a local fixture.
       * @enum {string}
       */
      mode: 'local-mock' | 'pick-http'
    }
    /**
     * FilterRequest
     * @example {
     *       "itemRefs": [
     *         {
     *           "provider": "shop",
     *           "productId": "a-1001"
     *         },
     *         {
     *           "productId": "b-2044"
     *         }
     *       ],
     *       "criteria": {
     *         "maxPriceCents": 4000
     *       }
     *     }
     */
    FilterRequest: {
      /** @description Distinct items that a search returned to this project. Else `INVALID_ITEM_REFS`. */
      itemRefs: components['schemas']['ItemRef'][]
      /** @description Else `INVALID_FILTERS`. */
      criteria?: components['schemas']['PriceCriteria']
    }
    /**
     * Item
     * @example {
     *       "itemRef": {
     *         "productId": "b-2044"
     *       },
     *       "title": "便携保温杯 350ml",
     *       "priceCents": 3900,
     *       "currency": "CNY",
     *       "availability": "available",
     *       "highlights": [
     *         "304 不锈钢",
     *         "防漏杯盖"
     *       ],
     *       "reason": "标题与“保温杯”相符",
     *       "testOnly": true
     *     }
     */
    Item: {
      itemRef: components['schemas']['ItemRef']
      title: string
      priceCents: number
      /** @constant */
      currency: 'CNY'
      /**
       * @description unknown: check again before you buy.
       * @enum {string}
       */
      availability: 'available' | 'unavailable' | 'unknown'
      highlights: string[]
      /** @description Why the item matches the query. */
      reason: string
      /** @description True: from a local fixture, not a real shop. */
      testOnly: boolean
    }
    /**
     * ItemRef
     * @example {
     *       "productId": "b-2044"
     *     }
     */
    ItemRef: {
      /** @enum {string} */
      provider: 'shop'
      /** @description Case-sensitive; white space at the edges is stripped. */
      productId: string
    }
    /**
     * Key
     * @example {
     *       "keyId": "key_3fQ7sJ8wMa2P",
     *       "displayPrefix": "gk_live_Ab3x...9TzK",
     *       "scopes": [
     *         "models:invoke",
     *         "pick:read"
     *       ],
     *       "state": "active",
     *       "createdAt": "2026-09-03T08:05:00.000Z",
     *       "revokedAt": null,
     *       "expiresAt": null,
     *       "rotatedFromKeyId": null
     *     }
     */
    Key: {
      keyId: string
      /** @description Start and end of the key; not usable as a credential. */
      displayPrefix: string
      scopes: ('models:invoke' | 'shopping:search' | 'pick:read' | 'pick:link' | 'agent:run' | 'media:run')[]
      /** @enum {string} */
      state: 'active' | 'revoked' | 'expired'
      /** Format: date-time */
      createdAt: string
      revokedAt: string | null
      expiresAt: string | null
      rotatedFromKeyId: string | null
    }
    /**
     * KeyList
     * @example {
     *       "items": [
     *         {
     *           "keyId": "key_3fQ7sJ8wMa2P",
     *           "displayPrefix": "gk_live_Ab3x...9TzK",
     *           "scopes": [
     *             "models:invoke",
     *             "pick:read"
     *           ],
     *           "state": "active",
     *           "createdAt": "2026-09-03T08:05:00.000Z",
     *           "revokedAt": null,
     *           "expiresAt": null,
     *           "rotatedFromKeyId": null
     *         }
     *       ]
     *     }
     */
    KeyList: {
      items: components['schemas']['Key'][]
    }
    /**
     * LinksData
     * @example {
     *       "items": [
     *         {
     *           "itemRef": {
     *             "provider": "shop",
     *             "productId": "a-1001"
     *           },
     *           "productUrl": "https://item.shop-a.example/a-1001"
     *         }
     *       ],
     *       "disclosure": "链接可能包含推广信息。",
     *       "mode": "local-mock"
     *     }
     */
    LinksData: {
      items: components['schemas']['ProductLink'][]
      /** @description Promotion disclosure; show it with the links. */
      disclosure: string
      /**
       * @description Whether the result is a local fixture.
       * @enum {string}
       */
      mode: 'local-mock' | 'pick-http'
    }
    /**
     * LinksRequest
     * @example {
     *       "itemRefs": [
     *         {
     *           "provider": "shop",
     *           "productId": "a-1001"
     *         }
     *       ]
     *     }
     */
    LinksRequest: {
      /** @description Distinct items that a search returned to this project. Else `INVALID_ITEM_REFS`. */
      itemRefs: components['schemas']['ItemRef'][]
    }
    /**
     * LoggedOut
     * @example {
     *       "state": "logged_out"
     *     }
     */
    LoggedOut: {
      /** @constant */
      state: 'logged_out'
    }
    /**
     * LoginRequest
     * @example {
     *       "identifier": "13812345678",
     *       "password": "correct horse battery staple",
     *       "next": "/console"
     *     }
     */
    LoginRequest: {
      /** @description A verified phone, or a verified recovery email. Else `IDENTIFIER_INVALID`. */
      identifier: string
      /** @description Counted in characters. Else `PASSWORD_INVALID`. */
      password: string
      /**
       * @description Where to go afterwards. Else `NEXT_PATH_INVALID`.
       * @enum {string}
       */
      next?: '/console'
    }
    /**
     * Me
     * @example {
     *       "account": {
     *         "accountId": "acc_7hT2mQ9xLd4R",
     *         "identitySubject": "idp_5bN8vW1kYc3Z",
     *         "phoneMasked": "138****5678",
     *         "recoveryEmailMasked": "l***@example.com",
     *         "recoveryEmailState": "pending_verification",
     *         "name": "Personal account"
     *       },
     *       "project": {
     *         "projectId": "prj_6wE1pU3yGo9K",
     *         "name": "Personal project"
     *       },
     *       "credits": {
     *         "available": 197,
     *         "reserved": 3
     *       },
     *       "latestOrder": {
     *         "orderId": "ord_9kD4nV6tHs1B",
     *         "amountFen": 2000,
     *         "creditAmount": 200,
     *         "currency": "CNY",
     *         "creditsPerYuan": 10,
     *         "yuanPerCredit": "0.10",
     *         "pricingVersion": "gateway-custom-cny-10credits-v1",
     *         "state": "credited",
     *         "paymentMode": "local-simulated",
     *         "createdAt": "2026-09-03T08:06:00.000Z",
     *         "simulatedPaidAt": "2026-09-03T08:06:30.000Z",
     *         "creditedAt": "2026-09-03T08:06:30.000Z"
     *       },
     *       "recentOrders": [
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
     *       "apiKeys": [
     *         {
     *           "keyId": "key_3fQ7sJ8wMa2P",
     *           "displayPrefix": "gk_live_Ab3x...9TzK",
     *           "scopes": [
     *             "models:invoke",
     *             "pick:read"
     *           ],
     *           "state": "active",
     *           "createdAt": "2026-09-03T08:05:00.000Z",
     *           "revokedAt": null,
     *           "expiresAt": null,
     *           "rotatedFromKeyId": null
     *         }
     *       ],
     *       "session": {
     *         "expiresAt": "2026-09-03T20:00:00.000Z"
     *       },
     *       "csrfToken": "q3VtT1c2a0dYb2RyV2hLZQ"
     *     }
     */
    Me: {
      account: components['schemas']['CurrentAccount']
      project: components['schemas']['CurrentProject']
      credits: components['schemas']['Credits']
      latestOrder: components['schemas']['Order'] | null
      recentOrders: components['schemas']['Order'][]
      apiKeys: components['schemas']['Key'][]
      session: components['schemas']['Session']
      /** @description Send it back as X-CSRF-Token. */
      csrfToken: string
    }
    /**
     * NoUsage
     * @description This operation meters nothing.
     * @example {}
     */
    NoUsage: Record<string, never>
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
     * Plans
     * @example {
     *       "deprecated": true,
     *       "canonical": "/v1/pricing",
     *       "pricing": {
     *         "currency": "CNY",
     *         "amountUnit": "fen",
     *         "minAmountFen": 100,
     *         "maxAmountFen": 1000000,
     *         "stepAmountFen": 100,
     *         "creditsPerYuan": 10,
     *         "yuanPerCredit": "0.10",
     *         "pricingVersion": "gateway-custom-cny-10credits-v1",
     *         "paymentMode": "local-simulated",
     *         "productionPayment": "NOT_RUN",
     *         "operations": [
     *           {
     *             "operation": "agent.run",
     *             "path": "/v1/agent/run",
     *             "scope": "agent:run",
     *             "credits": 5,
     *             "cnyFen": 50,
     *             "cnyYuan": "0.50"
     *           },
     *           {
     *             "operation": "model.chat",
     *             "path": "/v1/models/chat",
     *             "scope": "models:invoke",
     *             "credits": 3,
     *             "cnyFen": 30,
     *             "cnyYuan": "0.30"
     *           },
     *           {
     *             "operation": "shopping.search",
     *             "path": "/v1/shopping/search",
     *             "scope": "shopping:search",
     *             "credits": 2,
     *             "cnyFen": 20,
     *             "cnyYuan": "0.20"
     *           },
     *           {
     *             "operation": "pick.compare",
     *             "path": "/v1/pick/compare",
     *             "scope": "pick:read",
     *             "credits": 3,
     *             "cnyFen": 30,
     *             "cnyYuan": "0.30"
     *           },
     *           {
     *             "operation": "pick.filter",
     *             "path": "/v1/pick/filter",
     *             "scope": "pick:read",
     *             "credits": 2,
     *             "cnyFen": 20,
     *             "cnyYuan": "0.20"
     *           },
     *           {
     *             "operation": "pick.links",
     *             "path": "/v1/pick/links",
     *             "scope": "pick:link",
     *             "credits": 1,
     *             "cnyFen": 10,
     *             "cnyYuan": "0.10"
     *           },
     *           {
     *             "operation": "pick.prepurchase_review",
     *             "path": "/v1/pick/prepurchase-review",
     *             "scope": "pick:read",
     *             "credits": 1,
     *             "cnyFen": 10,
     *             "cnyYuan": "0.10"
     *           },
     *           {
     *             "operation": "pick.recommend",
     *             "path": "/v1/pick/recommend",
     *             "scope": "pick:read",
     *             "credits": 3,
     *             "cnyFen": 30,
     *             "cnyYuan": "0.30"
     *           },
     *           {
     *             "operation": "pick.search",
     *             "path": "/v1/pick/search",
     *             "scope": "pick:read",
     *             "credits": 2,
     *             "cnyFen": 20,
     *             "cnyYuan": "0.20"
     *           }
     *         ],
     *         "chargePolicy": {
     *           "reserve": "The fixed price is reserved from the available credits before anything is forwarded.",
     *           "settle": "A confirmed result settles the reservation exactly once.",
     *           "release": "A confirmed failure releases the reservation in full.",
     *           "manualReview": "An uncertain outcome stays reserved as manual_review until an operator decides; it is never retried automatically.",
     *           "idempotentReplay": "The same Idempotency-Key with the same request returns the stored result without a second charge.",
     *           "idempotencyConflict": "The same Idempotency-Key with a different request is refused with 409 IDEMPOTENCY_CONFLICT.",
     *           "insufficientCredits": "A call that costs more than the available credits is refused with 402 INSUFFICIENT_PAID_CREDITS and nothing is forwarded."
     *         }
     *       }
     *     }
     */
    Plans: {
      /** @constant */
      deprecated: true
      /** @enum {string} */
      canonical: '/v1/pricing' | '/gateway/api/pricing'
      pricing: components['schemas']['Pricing']
    }
    /**
     * PrepurchaseCheck
     * @example {
     *       "code": "price",
     *       "status": "known",
     *       "message": "4900"
     *     }
     */
    PrepurchaseCheck: {
      code: string
      /** @enum {string} */
      status: 'known' | 'unknown'
      message: string
    }
    /**
     * PrepurchaseReviewData
     * @example {
     *       "itemRef": {
     *         "provider": "shop",
     *         "productId": "a-1001"
     *       },
     *       "summary": "价格和库存来自最近一次搜索，其余需要在购买前核实。",
     *       "checks": [
     *         {
     *           "code": "price",
     *           "status": "known",
     *           "message": "4900"
     *         },
     *         {
     *           "code": "requirement_1",
     *           "status": "unknown",
     *           "message": "无法从搜索结果确认：24 小时保温"
     *         }
     *       ],
     *       "limitations": [
     *         "价格和库存可能在搜索之后变化。"
     *       ],
     *       "mode": "local-mock"
     *     }
     */
    PrepurchaseReviewData: {
      itemRef: components['schemas']['ItemRef']
      summary: string
      checks: components['schemas']['PrepurchaseCheck'][]
      limitations: string[]
      /**
       * @description Whether the result is a local fixture.
       * @enum {string}
       */
      mode: 'local-mock' | 'pick-http'
    }
    /**
     * PrepurchaseReviewRequest
     * @example {
     *       "itemRef": {
     *         "provider": "shop",
     *         "productId": "a-1001"
     *       },
     *       "requirements": [
     *         "24 小时保温"
     *       ]
     *     }
     */
    PrepurchaseReviewRequest: {
      /** @description Else `INVALID_ITEM_REF`. */
      itemRef: components['schemas']['ItemRef']
      /** @description Else `INVALID_REQUIREMENTS`. */
      requirements?: string[]
    }
    /**
     * PriceCriteria
     * @example {
     *       "maxPriceCents": 10000
     *     }
     */
    PriceCriteria: {
      maxPriceCents?: number
    }
    /**
     * PricedOperation
     * @example {
     *       "operation": "agent.run",
     *       "path": "/v1/agent/run",
     *       "scope": "agent:run",
     *       "credits": 5,
     *       "cnyFen": 50,
     *       "cnyYuan": "0.50"
     *     }
     */
    PricedOperation: {
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
      path: string
      /** @enum {string} */
      scope: 'models:invoke' | 'shopping:search' | 'pick:read' | 'pick:link' | 'agent:run' | 'media:run'
      /** @enum {integer} */
      credits: 1 | 2 | 3 | 5
      /** @enum {integer} */
      cnyFen: 10 | 20 | 30 | 50
      /** @enum {string} */
      cnyYuan: '0.10' | '0.20' | '0.30' | '0.50'
    }
    /**
     * Pricing
     * @example {
     *       "currency": "CNY",
     *       "amountUnit": "fen",
     *       "minAmountFen": 100,
     *       "maxAmountFen": 1000000,
     *       "stepAmountFen": 100,
     *       "creditsPerYuan": 10,
     *       "yuanPerCredit": "0.10",
     *       "pricingVersion": "gateway-custom-cny-10credits-v1",
     *       "paymentMode": "local-simulated",
     *       "productionPayment": "NOT_RUN",
     *       "operations": [
     *         {
     *           "operation": "agent.run",
     *           "path": "/v1/agent/run",
     *           "scope": "agent:run",
     *           "credits": 5,
     *           "cnyFen": 50,
     *           "cnyYuan": "0.50"
     *         },
     *         {
     *           "operation": "model.chat",
     *           "path": "/v1/models/chat",
     *           "scope": "models:invoke",
     *           "credits": 3,
     *           "cnyFen": 30,
     *           "cnyYuan": "0.30"
     *         },
     *         {
     *           "operation": "shopping.search",
     *           "path": "/v1/shopping/search",
     *           "scope": "shopping:search",
     *           "credits": 2,
     *           "cnyFen": 20,
     *           "cnyYuan": "0.20"
     *         },
     *         {
     *           "operation": "pick.compare",
     *           "path": "/v1/pick/compare",
     *           "scope": "pick:read",
     *           "credits": 3,
     *           "cnyFen": 30,
     *           "cnyYuan": "0.30"
     *         },
     *         {
     *           "operation": "pick.filter",
     *           "path": "/v1/pick/filter",
     *           "scope": "pick:read",
     *           "credits": 2,
     *           "cnyFen": 20,
     *           "cnyYuan": "0.20"
     *         },
     *         {
     *           "operation": "pick.links",
     *           "path": "/v1/pick/links",
     *           "scope": "pick:link",
     *           "credits": 1,
     *           "cnyFen": 10,
     *           "cnyYuan": "0.10"
     *         },
     *         {
     *           "operation": "pick.prepurchase_review",
     *           "path": "/v1/pick/prepurchase-review",
     *           "scope": "pick:read",
     *           "credits": 1,
     *           "cnyFen": 10,
     *           "cnyYuan": "0.10"
     *         },
     *         {
     *           "operation": "pick.recommend",
     *           "path": "/v1/pick/recommend",
     *           "scope": "pick:read",
     *           "credits": 3,
     *           "cnyFen": 30,
     *           "cnyYuan": "0.30"
     *         },
     *         {
     *           "operation": "pick.search",
     *           "path": "/v1/pick/search",
     *           "scope": "pick:read",
     *           "credits": 2,
     *           "cnyFen": 20,
     *           "cnyYuan": "0.20"
     *         }
     *       ],
     *       "chargePolicy": {
     *         "reserve": "The fixed price is reserved from the available credits before anything is forwarded.",
     *         "settle": "A confirmed result settles the reservation exactly once.",
     *         "release": "A confirmed failure releases the reservation in full.",
     *         "manualReview": "An uncertain outcome stays reserved as manual_review until an operator decides; it is never retried automatically.",
     *         "idempotentReplay": "The same Idempotency-Key with the same request returns the stored result without a second charge.",
     *         "idempotencyConflict": "The same Idempotency-Key with a different request is refused with 409 IDEMPOTENCY_CONFLICT.",
     *         "insufficientCredits": "A call that costs more than the available credits is refused with 402 INSUFFICIENT_PAID_CREDITS and nothing is forwarded."
     *       }
     *     }
     */
    Pricing: {
      /** @constant */
      currency: 'CNY'
      /** @constant */
      amountUnit: 'fen'
      /** @constant */
      minAmountFen: 100
      /** @constant */
      maxAmountFen: 1000000
      /** @constant */
      stepAmountFen: 100
      /** @constant */
      creditsPerYuan: 10
      /** @constant */
      yuanPerCredit: '0.10'
      /** @constant */
      pricingVersion: 'gateway-custom-cny-10credits-v1'
      /** @enum {string} */
      paymentMode: 'disabled' | 'local-simulated'
      /** @constant */
      productionPayment: 'NOT_RUN'
      operations: components['schemas']['PricedOperation'][]
      chargePolicy: components['schemas']['ChargePolicy']
    }
    /**
     * ProductLink
     * @example {
     *       "itemRef": {
     *         "provider": "shop",
     *         "productId": "a-1001"
     *       },
     *       "productUrl": "https://item.shop-a.example/a-1001"
     *     }
     */
    ProductLink: {
      itemRef: components['schemas']['ItemRef']
      /** Format: uri */
      productUrl: string
    }
    /**
     * Project
     * @example {
     *       "projectId": "prj_6wE1pU3yGo9K"
     *     }
     */
    Project: {
      projectId: string
    }
    /**
     * RecommendData
     * @example {
     *       "items": [
     *         {
     *           "itemRef": {
     *             "productId": "b-2044"
     *           },
     *           "title": "便携保温杯 350ml",
     *           "priceCents": 3900,
     *           "currency": "CNY",
     *           "availability": "available",
     *           "highlights": [
     *             "304 不锈钢",
     *             "防漏杯盖"
     *           ],
     *           "reason": "标题与“保温杯”相符",
     *           "testOnly": true
     *         },
     *         {
     *           "itemRef": {
     *             "provider": "shop",
     *             "productId": "a-1001"
     *           },
     *           "title": "不锈钢保温杯 500ml",
     *           "priceCents": 4900,
     *           "currency": "CNY",
     *           "availability": "available",
     *           "highlights": [
     *             "304 不锈钢",
     *             "防漏杯盖"
     *           ],
     *           "reason": "标题与“保温杯”相符",
     *           "testOnly": true
     *         }
     *       ],
     *       "preferences": {
     *         "priority": "price"
     *       },
     *       "method": "deterministic-local-rule",
     *       "mode": "local-mock"
     *     }
     */
    RecommendData: {
      /** @description Best first, by a fixed rule. */
      items: components['schemas']['Item'][]
      preferences: {
        /**
         * @description balanced by default.
         * @enum {string}
         */
        priority: 'price' | 'balanced'
      }
      /** @constant */
      method: 'deterministic-local-rule'
      /**
       * @description Whether the result is a local fixture.
       * @enum {string}
       */
      mode: 'local-mock' | 'pick-http'
    }
    /**
     * RecommendRequest
     * @example {
     *       "itemRefs": [
     *         {
     *           "provider": "shop",
     *           "productId": "a-1001"
     *         },
     *         {
     *           "productId": "b-2044"
     *         }
     *       ],
     *       "preferences": {
     *         "priority": "price"
     *       }
     *     }
     */
    RecommendRequest: {
      /** @description Distinct items that a search returned to this project. Else `INVALID_ITEM_REFS`. */
      itemRefs: components['schemas']['ItemRef'][]
      /** @description Else `INVALID_PREFERENCES`. */
      preferences?: {
        /**
         * @description balanced by default.
         * @enum {string}
         */
        priority?: 'price' | 'balanced'
      }
    }
    /**
     * RegisterRequest
     * @example {
     *       "phone": "13812345678",
     *       "verificationCode": "493027",
     *       "challengeId": "gvc_8nM3bK6qTz5X",
     *       "recoveryEmail": "li@example.com",
     *       "password": "correct horse battery staple",
     *       "next": "/console"
     *     }
     */
    RegisterRequest: {
      /** @description Mainland-China mobile number. Else `PHONE_INVALID`. */
      phone: string
      /** @description Else `VERIFICATION_FAILED`. */
      verificationCode: string
      /** @description Else `VERIFICATION_FAILED`. */
      challengeId: string
      /**
       * Format: email
       * @description Stored as pending_verification: it cannot be used to log in, and others may use it too. Else `EMAIL_INVALID`.
       */
      recoveryEmail: string
      /** @description Counted in characters. Else `PASSWORD_INVALID`. */
      password: string
      /**
       * @description Where to go afterwards. Else `NEXT_PATH_INVALID`.
       * @enum {string}
       */
      next?: '/console'
    }
    /**
     * RevokedKey
     * @example {
     *       "keyId": "key_3fQ7sJ8wMa2P",
     *       "state": "revoked"
     *     }
     */
    RevokedKey: {
      keyId: string
      /** @constant */
      state: 'revoked'
    }
    /**
     * SearchData
     * @example {
     *       "query": "保温杯",
     *       "items": [
     *         {
     *           "itemRef": {
     *             "productId": "b-2044"
     *           },
     *           "title": "便携保温杯 350ml",
     *           "priceCents": 3900,
     *           "currency": "CNY",
     *           "availability": "available",
     *           "highlights": [
     *             "304 不锈钢",
     *             "防漏杯盖"
     *           ],
     *           "reason": "标题与“保温杯”相符",
     *           "testOnly": true
     *         },
     *         {
     *           "itemRef": {
     *             "provider": "shop",
     *             "productId": "a-1001"
     *           },
     *           "title": "不锈钢保温杯 500ml",
     *           "priceCents": 4900,
     *           "currency": "CNY",
     *           "availability": "available",
     *           "highlights": [
     *             "304 不锈钢",
     *             "防漏杯盖"
     *           ],
     *           "reason": "标题与“保温杯”相符",
     *           "testOnly": true
     *         }
     *       ],
     *       "mode": "local-mock"
     *     }
     */
    SearchData: {
      query: string
      items: components['schemas']['Item'][]
      /**
       * @description Whether the result is a local fixture.
       * @enum {string}
       */
      mode: 'local-mock' | 'pick-http'
    }
    /**
     * SearchRequest
     * @example {
     *       "query": "保温杯",
     *       "filters": {
     *         "maxPriceCents": 10000
     *       },
     *       "sort": "price_asc",
     *       "limit": 2
     *     }
     */
    SearchRequest: {
      /** @description Else `INVALID_QUERY`. */
      query: string
      /**
       * @description Else `PROVIDER_NOT_ALLOWED`.
       * @enum {string}
       */
      provider?: 'shop'
      /** @description All shops by default. Cannot be combined with provider. Else `PROVIDER_NOT_ALLOWED`. */
      providers?: 'shop'[]
      /** @description Else `INVALID_FILTERS`. */
      filters?: components['schemas']['PriceCriteria']
      /**
       * @description relevance by default. Else `INVALID_SORT`.
       * @enum {string}
       */
      sort?: 'price_asc' | 'relevance'
      /** @description 3 by default. Else `INVALID_LIMIT`. */
      limit?: number
    }
    /**
     * SearchUsage
     * @example {
     *       "providerCalls": 3,
     *       "resultCount": 2
     *     }
     */
    SearchUsage: {
      /** @description 0 when answered from the cache. */
      providerCalls: number
      resultCount: number
    }
    /**
     * SendCodeRequest
     * @example {
     *       "phone": "13812345678"
     *     }
     */
    SendCodeRequest: {
      /** @description Mainland-China mobile number. Else `PHONE_INVALID`. */
      phone: string
    }
    /**
     * Session
     * @example {
     *       "expiresAt": "2026-09-03T20:00:00.000Z"
     *     }
     */
    Session: {
      /** Format: date-time */
      expiresAt: string
    }
    /**
     * AccountPasswordChangedEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "account.password_changed",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "by": "recovery"
     *       }
     *     }
     */
    AccountPasswordChangedEvent: {
      id: string
      /** @constant */
      type: 'account.password_changed'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
        /** @enum {string} */
        by: 'password' | 'recovery'
      }
    }
    /**
     * AccountSignedInEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "account.signed_in",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "isNewNetwork": true
     *       }
     *     }
     */
    AccountSignedInEvent: {
      id: string
      /** @constant */
      type: 'account.signed_in'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
        /** @description Whether the account was never used from there before. */
        isNewNetwork: boolean
      }
    }
    /**
     * AlertSettings
     * @example {
     *       "lowBalanceCredits": 100,
     *       "email": [
     *         "credits.low",
     *         "credits.empty",
     *         "key.created",
     *         "key.rotated",
     *         "key.revoked",
     *         "charge.review_opened",
     *         "charge.review_decided",
     *         "account.password_changed"
     *       ],
     *       "sms": [
     *         "credits.empty"
     *       ]
     *     }
     */
    AlertSettings: {
      /** @description Available credits below which credits.low is raised; null for never. */
      lowBalanceCredits: number | null
      /** @description Types sent to the recovery email; by SMS while that is not verified. */
      email: (
        | 'order.credited'
        | 'credits.granted'
        | 'credits.withdrawn'
        | 'credits.low'
        | 'credits.empty'
        | 'key.created'
        | 'key.rotated'
        | 'key.revoked'
        | 'key.expiring'
        | 'key.budget_reached'
        | 'charge.review_opened'
        | 'charge.review_decided'
        | 'media.job_finished'
        | 'account.signed_in'
        | 'account.password_changed'
      )[]
      /** @description Types sent to the phone. */
      sms: (
        | 'order.credited'
        | 'credits.granted'
        | 'credits.withdrawn'
        | 'credits.low'
        | 'credits.empty'
        | 'key.created'
        | 'key.rotated'
        | 'key.revoked'
        | 'key.expiring'
        | 'key.budget_reached'
        | 'charge.review_opened'
        | 'charge.review_decided'
        | 'media.job_finished'
        | 'account.signed_in'
        | 'account.password_changed'
      )[]
    }
    /**
     * AlertSettingsRequest
     * @example {
     *       "lowBalanceCredits": 100,
     *       "email": [
     *         "credits.low",
     *         "credits.empty",
     *         "key.created",
     *         "key.rotated",
     *         "key.revoked",
     *         "charge.review_opened",
     *         "charge.review_decided",
     *         "account.password_changed"
     *       ],
     *       "sms": [
     *         "credits.empty"
     *       ]
     *     }
     */
    AlertSettingsRequest: {
      /** @description Available credits below which credits.low is raised; null for never. Else `INVALID_THRESHOLD`. */
      lowBalanceCredits: number | null
      /** @description Types sent to the recovery email; by SMS while that is not verified. Else `INVALID_ALERT_TYPES`. */
      email: (
        | 'order.credited'
        | 'credits.granted'
        | 'credits.withdrawn'
        | 'credits.low'
        | 'credits.empty'
        | 'key.created'
        | 'key.rotated'
        | 'key.revoked'
        | 'key.expiring'
        | 'key.budget_reached'
        | 'charge.review_opened'
        | 'charge.review_decided'
        | 'media.job_finished'
        | 'account.signed_in'
        | 'account.password_changed'
      )[]
      /** @description Types sent to the phone. Else `INVALID_ALERT_TYPES`. */
      sms: (
        | 'order.credited'
        | 'credits.granted'
        | 'credits.withdrawn'
        | 'credits.low'
        | 'credits.empty'
        | 'key.created'
        | 'key.rotated'
        | 'key.revoked'
        | 'key.expiring'
        | 'key.budget_reached'
        | 'charge.review_opened'
        | 'charge.review_decided'
        | 'media.job_finished'
        | 'account.signed_in'
        | 'account.password_changed'
      )[]
    }
    /**
     * Catalog
     * @example {
     *       "defaultModelProvider": "model_provider_a",
     *       "modelProviders": [
     *         {
     *           "provider": "model_provider_a",
     *           "enabled": true,
     *           "adapter": "local",
     *           "models": [
     *             "local-small",
     *             "local-large"
     *           ],
     *           "defaultModel": "local-small",
     *           "maxPromptChars": 8000
     *         },
     *         {
     *           "provider": "model_provider_b",
     *           "enabled": false,
     *           "adapter": null,
     *           "models": [],
     *           "defaultModel": null,
     *           "maxPromptChars": null
     *         }
     *       ],
     *       "mediaCreditsPerSecond": 5,
     *       "defaultMediaProvider": "media_provider_a",
     *       "mediaProviders": [
     *         {
     *           "provider": "media_provider_a",
     *           "enabled": true,
     *           "adapter": "local"
     *         }
     *       ],
     *       "shoppingMode": "local-mock",
     *       "shops": [
     *         {
     *           "provider": "shop_provider_a",
     *           "enabled": true,
     *           "adapter": "local"
     *         }
     *       ]
     *     }
     */
    Catalog: {
      /** @description Asked when a call names no provider. */
      defaultModelProvider: string
      modelProviders: components['schemas']['CatalogModelProvider'][]
      /** @description Price of a video, for each of its seconds. */
      mediaCreditsPerSecond: number
      defaultMediaProvider: string
      mediaProviders: components['schemas']['CatalogMediaProvider'][]
      /** @enum {string} */
      shoppingMode: 'local-mock' | 'pick-http'
      shops: components['schemas']['CatalogShop'][]
    }
    /**
     * CatalogMediaProvider
     * @example {
     *       "provider": "media_provider_a",
     *       "enabled": true,
     *       "adapter": "local"
     *     }
     */
    CatalogMediaProvider: {
      provider: string
      enabled: boolean
      /** @description Whether it answers from inside this service or calls another one; null when it is disabled. */
      adapter: ('local' | 'remote') | null
    }
    /**
     * CatalogModelProvider
     * @example {
     *       "provider": "model_provider_a",
     *       "enabled": true,
     *       "adapter": "local",
     *       "models": [
     *         "local-small",
     *         "local-large"
     *       ],
     *       "defaultModel": "local-small",
     *       "maxPromptChars": 8000
     *     }
     */
    CatalogModelProvider: {
      provider: string
      enabled: boolean
      /** @description Whether it answers from inside this service or calls another one; null when it is disabled. */
      adapter: ('local' | 'remote') | null
      /** @description Aliases that a call may name. */
      models: string[]
      defaultModel: string | null
      maxPromptChars: number | null
    }
    /**
     * CatalogShop
     * @example {
     *       "provider": "shop_provider_a",
     *       "enabled": true,
     *       "adapter": "local"
     *     }
     */
    CatalogShop: {
      provider: string
      enabled: boolean
      /** @description Whether it answers from inside this service or calls another one; null when it is disabled. */
      adapter: ('local' | 'remote') | null
    }
    /**
     * ChangePasswordRequest
     * @example {
     *       "currentPassword": "correct horse battery staple",
     *       "newPassword": "an uncommon long passphrase"
     *     }
     */
    ChangePasswordRequest: {
      /** @description Counted in characters. Else `PASSWORD_INVALID`. */
      currentPassword: string
      /** @description Counted in characters. Else `PASSWORD_INVALID`. */
      newPassword: string
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
     *       "code": "PROVIDER_TIMED_OUT",
     *       "text": "The call was sent, but no response arrived in time."
     *     }
     */
    ChargeReason: {
      /** @description The error code that the caller received, or why the outcome is uncertain. */
      code: string
      /** @description The meaning of the code, in English. */
      text: string
    }
    /**
     * ChargeReviewDecidedEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "charge.review_decided",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
     *         "operation": "model.chat",
     *         "credits": 3,
     *         "decision": "released"
     *       }
     *     }
     */
    ChargeReviewDecidedEvent: {
      id: string
      /** @constant */
      type: 'charge.review_decided'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
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
        /** @description The price of the call. */
        credits: number
        /** @enum {string} */
        decision: 'settled' | 'released'
      }
    }
    /**
     * ChargeReviewOpenedEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "charge.review_opened",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
     *         "operation": "model.chat",
     *         "credits": 3
     *       }
     *     }
     */
    ChargeReviewOpenedEvent: {
      id: string
      /** @constant */
      type: 'charge.review_opened'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
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
        /** @description The price of the call. */
        credits: number
      }
    }
    /**
     * CreateNamedKeyRequest
     * @example {
     *       "name": "Production",
     *       "scopes": [
     *         "models:invoke",
     *         "pick:read"
     *       ],
     *       "budget": {
     *         "credits": 500,
     *         "per": "day"
     *       },
     *       "allowedAddresses": [
     *         "203.0.113.0/24",
     *         "2001:db8::/32"
     *       ]
     *     }
     */
    CreateNamedKeyRequest: {
      /** @description Else `INVALID_NAME`. */
      name: string
      /** @description Else `INVALID_SCOPE`. */
      scopes: ('models:invoke' | 'shopping:search' | 'pick:read' | 'pick:link' | 'agent:run' | 'media:run')[]
      /** @description Else `INVALID_EXPIRY`. */
      expiresAt?: string | null
      /** @description Else `INVALID_BUDGET`. */
      budget?: components['schemas']['KeyBudget'] | null
      /** @description Else `INVALID_ADDRESSES`. */
      allowedAddresses?: string[] | null
    }
    /**
     * CreateWebhookRequest
     * @example {
     *       "url": "https://example.com/hooks/gateway",
     *       "types": [
     *         "order.credited",
     *         "credits.low"
     *       ]
     *     }
     */
    CreateWebhookRequest: {
      /** @description https, on port 443 or above 1023, without user, password or fragment. Private, loopback and other special addresses are refused. Else `INVALID_URL`. */
      url: string
      /** @description The types of events that are sent. Else `INVALID_EVENT_TYPES`. */
      types: (
        | 'order.credited'
        | 'credits.granted'
        | 'credits.withdrawn'
        | 'credits.low'
        | 'credits.empty'
        | 'key.created'
        | 'key.rotated'
        | 'key.revoked'
        | 'key.expiring'
        | 'key.budget_reached'
        | 'charge.review_opened'
        | 'charge.review_decided'
        | 'media.job_finished'
        | 'account.signed_in'
        | 'account.password_changed'
      )[]
    }
    /**
     * CreatedNamedKey
     * @example {
     *       "keyId": "key_3fQ7sJ8wMa2P",
     *       "apiKey": "gk_live_<43 characters, shown once>",
     *       "displayPrefix": "gk_live_Ab3x...9TzK",
     *       "scopes": [
     *         "models:invoke",
     *         "pick:read"
     *       ],
     *       "state": "active",
     *       "expiresAt": null,
     *       "rotatedFromKeyId": null,
     *       "shownOnce": true,
     *       "name": "Production",
     *       "budget": {
     *         "credits": 500,
     *         "per": "day"
     *       },
     *       "allowedAddresses": [
     *         "203.0.113.0/24",
     *         "2001:db8::/32"
     *       ],
     *       "createdAt": "2026-09-03T08:05:00.000Z"
     *     }
     */
    CreatedNamedKey: {
      keyId: string
      /** @description The plaintext key. It is shown only once. */
      apiKey: string
      /** @description Start and end of the key; not usable as a credential. */
      displayPrefix: string
      scopes: ('models:invoke' | 'shopping:search' | 'pick:read' | 'pick:link' | 'agent:run' | 'media:run')[]
      /** @constant */
      state: 'active'
      expiresAt: string | null
      rotatedFromKeyId: string | null
      /** @constant */
      shownOnce: true
      name: string | null
      budget: components['schemas']['KeyBudget'] | null
      allowedAddresses: string[] | null
      /** Format: date-time */
      createdAt: string
    }
    /**
     * CreatedWebhook
     * @example {
     *       "webhookId": "whk_0VVm9cD5004eF7wUz3Lg",
     *       "url": "https://example.com/hooks/gateway",
     *       "types": [
     *         "order.credited",
     *         "credits.low"
     *       ],
     *       "state": "enabled",
     *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
     *       "createdAt": "2026-09-03T08:20:00.000Z"
     *     }
     */
    CreatedWebhook: {
      webhookId: string
      url: string
      types: (
        | 'order.credited'
        | 'credits.granted'
        | 'credits.withdrawn'
        | 'credits.low'
        | 'credits.empty'
        | 'key.created'
        | 'key.rotated'
        | 'key.revoked'
        | 'key.expiring'
        | 'key.budget_reached'
        | 'charge.review_opened'
        | 'charge.review_decided'
        | 'media.job_finished'
        | 'account.signed_in'
        | 'account.password_changed'
      )[]
      /** @enum {string} */
      state: 'enabled' | 'disabled'
      /** @description Verifies signatures as the Standard Webhooks specification says. Shown once. */
      secret: string
      /** Format: date-time */
      createdAt: string
    }
    /**
     * CreditsEmptyEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "credits.empty",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "available": 2,
     *         "credits": 3
     *       }
     *     }
     */
    CreditsEmptyEvent: {
      id: string
      /** @constant */
      type: 'credits.empty'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
        /** @description Available credits after it. */
        available: number
        /** @description The price of the call that was refused. */
        credits: number
      }
    }
    /**
     * CreditsGrantedEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "credits.granted",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "credits": 500,
     *         "available": 700
     *       }
     *     }
     */
    CreditsGrantedEvent: {
      id: string
      /** @constant */
      type: 'credits.granted'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
        /** @description Credits that an operator added. */
        credits: number
        /** @description Available credits after it. */
        available: number
      }
    }
    /**
     * CreditsLowEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "credits.low",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "available": 95,
     *         "lowBalanceCredits": 100
     *       }
     *     }
     */
    CreditsLowEvent: {
      id: string
      /** @constant */
      type: 'credits.low'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
        /** @description Available credits after it. */
        available: number
        /** @description The threshold that the available credits fell below. */
        lowBalanceCredits: number
      }
    }
    /**
     * CreditsWithdrawnEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "credits.withdrawn",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "credits": 100,
     *         "available": 600
     *       }
     *     }
     */
    CreditsWithdrawnEvent: {
      id: string
      /** @constant */
      type: 'credits.withdrawn'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
        /** @description Credits that an operator took back. */
        credits: number
        /** @description Available credits after it. */
        available: number
      }
    }
    /**
     * DailyUsage
     * @example {
     *       "from": "2026-08-05",
     *       "to": "2026-09-03",
     *       "countedFrom": "2026-08-05",
     *       "items": [
     *         {
     *           "day": "2026-09-03",
     *           "operation": "model.chat",
     *           "calls": 1,
     *           "credits": 3
     *         }
     *       ]
     *     }
     */
    DailyUsage: {
      /**
       * Format: date
       * @description The first day of the range.
       */
      from: string
      /**
       * Format: date
       * @description The last day of the range: today in Shanghai, or an earlier day that was asked for.
       */
      to: string
      /**
       * Format: date
       * @description The first day whose calls are all counted. Later than `from` when a filter by key or state had too many calls to look through.
       */
      countedFrom: string
      /** @description Ordered by day and operation; a day and operation without such a call is left out. */
      items: components['schemas']['UsageOfDay'][]
    }
    /**
     * DeletedWebhook
     * @example {
     *       "webhookId": "whk_0VVm9cD5004eF7wUz3Lg",
     *       "state": "deleted"
     *     }
     */
    DeletedWebhook: {
      webhookId: string
      /** @constant */
      state: 'deleted'
    }
    /**
     * EmailChallenge
     * @example {
     *       "challengeId": "gvc_8nM3bK6qTz5X",
     *       "expiresInSeconds": 1800,
     *       "resendAfterSeconds": 60
     *     }
     */
    EmailChallenge: {
      challengeId: string
      /** @constant */
      expiresInSeconds: 1800
      /** @constant */
      resendAfterSeconds: 60
    }
    /**
     * EmailVerified
     * @example {
     *       "recoveryEmailState": "verified"
     *     }
     */
    EmailVerified: {
      /** @constant */
      recoveryEmailState: 'verified'
    }
    /**
     * EndedSession
     * @example {
     *       "sessionId": "ses_1dF6gJ0oTb3N",
     *       "state": "logged_out"
     *     }
     */
    EndedSession: {
      sessionId: string
      /** @constant */
      state: 'logged_out'
    }
    /**
     * EventPage
     * @example {
     *       "items": [
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "order.credited",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "orderId": "ord_9kD4nV6tHs1B",
     *             "credits": 200,
     *             "available": 200
     *           }
     *         },
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "credits.granted",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "credits": 500,
     *             "available": 700
     *           }
     *         },
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "credits.withdrawn",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "credits": 100,
     *             "available": 600
     *           }
     *         },
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "credits.low",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "available": 95,
     *             "lowBalanceCredits": 100
     *           }
     *         },
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "credits.empty",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "available": 2,
     *             "credits": 3
     *           }
     *         },
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "key.created",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "keyId": "key_3fQ7sJ8wMa2P",
     *             "displayPrefix": "gk_live_Ab3x...9TzK"
     *           }
     *         },
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "key.rotated",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "keyId": "key_3fQ7sJ8wMa2P",
     *             "displayPrefix": "gk_live_Ab3x...9TzK",
     *             "rotatedFromKeyId": "key_0VVm9aB4002dC6vTy2Kf",
     *             "oldKeyExpiresAt": "2026-10-02T08:30:00.000Z"
     *           }
     *         },
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "key.revoked",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "keyId": "key_3fQ7sJ8wMa2P",
     *             "displayPrefix": "gk_live_Ab3x...9TzK",
     *             "by": "owner"
     *           }
     *         },
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "key.expiring",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "keyId": "key_3fQ7sJ8wMa2P",
     *             "displayPrefix": "gk_live_Ab3x...9TzK",
     *             "expiresAt": "2026-10-08T08:30:00.000Z",
     *             "daysLeft": 7
     *           }
     *         },
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "key.budget_reached",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "keyId": "key_3fQ7sJ8wMa2P",
     *             "credits": 300,
     *             "per": "day",
     *             "resetsAt": "2026-10-02T00:00:00.000Z"
     *           }
     *         },
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "charge.review_opened",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
     *             "operation": "model.chat",
     *             "credits": 3
     *           }
     *         },
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "charge.review_decided",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
     *             "operation": "model.chat",
     *             "credits": 3,
     *             "decision": "released"
     *           }
     *         },
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "media.job_finished",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "jobId": "job_01JQ8ZK4T7N2",
     *             "chargeId": "chg_0VVm8yT7003cB5uSx1Jd",
     *             "status": "completed",
     *             "errorCode": null
     *           }
     *         },
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "account.signed_in",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "isNewNetwork": true
     *           }
     *         },
     *         {
     *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *           "type": "account.password_changed",
     *           "at": "2026-10-01T08:30:00.000Z",
     *           "projectId": "prj_6wE1pU3yGo9K",
     *           "data": {
     *             "by": "recovery"
     *           }
     *         }
     *       ],
     *       "nextCursor": null,
     *       "unread": 1
     *     }
     */
    EventPage: {
      items: (
        | components['schemas']['OrderCreditedEvent']
        | components['schemas']['CreditsGrantedEvent']
        | components['schemas']['CreditsWithdrawnEvent']
        | components['schemas']['CreditsLowEvent']
        | components['schemas']['CreditsEmptyEvent']
        | components['schemas']['KeyCreatedEvent']
        | components['schemas']['KeyRotatedEvent']
        | components['schemas']['KeyRevokedEvent']
        | components['schemas']['KeyExpiringEvent']
        | components['schemas']['KeyBudgetReachedEvent']
        | components['schemas']['ChargeReviewOpenedEvent']
        | components['schemas']['ChargeReviewDecidedEvent']
        | components['schemas']['MediaJobFinishedEvent']
        | components['schemas']['AccountSignedInEvent']
        | components['schemas']['AccountPasswordChangedEvent']
      )[]
      /** @description Send it as `after` for the next page; null when there is none. */
      nextCursor: string | null
      /** @description Events since the list was last marked as read; 100 stands for that many or more. */
      unread: number
    }
    /**
     * EventsRead
     * @example {
     *       "unread": 0
     *     }
     */
    EventsRead: {
      unread: number
    }
    /**
     * FirstSteps
     * @example {
     *       "hasOrder": true,
     *       "hasKey": true,
     *       "hasCall": true
     *     }
     */
    FirstSteps: {
      /** @description Credits were added. */
      hasOrder: boolean
      /** @description A key was created. */
      hasKey: boolean
      /** @description A billable call was accepted. */
      hasCall: boolean
    }
    /**
     * HeldCredits
     * @example {
     *       "state": "reserved",
     *       "charges": 0,
     *       "credits": 0
     *     }
     */
    HeldCredits: {
      /** @enum {string} */
      state: 'reserved' | 'manual_review'
      charges: number
      credits: number
    }
    /**
     * KeyBudget
     * @example {
     *       "credits": 500,
     *       "per": "day"
     *     }
     */
    KeyBudget: {
      credits: number
      /**
       * @description Days and months are in UTC.
       * @enum {string}
       */
      per: 'day' | 'month' | 'total'
    }
    /**
     * KeyBudgetReachedEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "key.budget_reached",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "keyId": "key_3fQ7sJ8wMa2P",
     *         "credits": 300,
     *         "per": "day",
     *         "resetsAt": "2026-10-02T00:00:00.000Z"
     *       }
     *     }
     */
    KeyBudgetReachedEvent: {
      id: string
      /** @constant */
      type: 'key.budget_reached'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
        keyId: string
        /** @description The budget of the key. */
        credits: number
        /** @enum {string} */
        per: 'day' | 'month' | 'total'
        resetsAt: string | null
      }
    }
    /**
     * KeyCreatedEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "key.created",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "keyId": "key_3fQ7sJ8wMa2P",
     *         "displayPrefix": "gk_live_Ab3x...9TzK"
     *       }
     *     }
     */
    KeyCreatedEvent: {
      id: string
      /** @constant */
      type: 'key.created'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
        keyId: string
        /** @description The beginning and the end of the key. */
        displayPrefix: string
      }
    }
    /**
     * KeyExpiringEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "key.expiring",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "keyId": "key_3fQ7sJ8wMa2P",
     *         "displayPrefix": "gk_live_Ab3x...9TzK",
     *         "expiresAt": "2026-10-08T08:30:00.000Z",
     *         "daysLeft": 7
     *       }
     *     }
     */
    KeyExpiringEvent: {
      id: string
      /** @constant */
      type: 'key.expiring'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
        keyId: string
        /** @description The beginning and the end of the key. */
        displayPrefix: string
        /** Format: date-time */
        expiresAt: string
        daysLeft: number
      }
    }
    /**
     * KeyRevokedEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "key.revoked",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "keyId": "key_3fQ7sJ8wMa2P",
     *         "displayPrefix": "gk_live_Ab3x...9TzK",
     *         "by": "owner"
     *       }
     *     }
     */
    KeyRevokedEvent: {
      id: string
      /** @constant */
      type: 'key.revoked'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
        keyId: string
        /** @description The beginning and the end of the key. */
        displayPrefix: string
        /** @enum {string} */
        by: 'owner' | 'operator'
      }
    }
    /**
     * KeyRotatedEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "key.rotated",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "keyId": "key_3fQ7sJ8wMa2P",
     *         "displayPrefix": "gk_live_Ab3x...9TzK",
     *         "rotatedFromKeyId": "key_0VVm9aB4002dC6vTy2Kf",
     *         "oldKeyExpiresAt": "2026-10-02T08:30:00.000Z"
     *       }
     *     }
     */
    KeyRotatedEvent: {
      id: string
      /** @constant */
      type: 'key.rotated'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
        keyId: string
        /** @description The beginning and the end of the key. */
        displayPrefix: string
        rotatedFromKeyId: string
        /** Format: date-time */
        oldKeyExpiresAt: string
      }
    }
    /**
     * LedgerEntry
     * @example {
     *       "amount": 3,
     *       "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
     *       "operation": "model.chat",
     *       "orderId": null,
     *       "reference": null,
     *       "seq": 2,
     *       "kind": "reserve",
     *       "available": 197,
     *       "reserved": 3,
     *       "creditLotId": null,
     *       "enteredAt": "2026-09-03T08:10:00.000Z"
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
     * MediaContent
     * @example {
     *       "url": "/v1/media/jobs/job_01JQ8ZK4T7N2/content",
     *       "contentType": "video/mp4",
     *       "bytes": 18578,
     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
     *       "expiresAt": "2026-09-10T08:00:06.000Z"
     *     }
     */
    MediaContent: {
      /** @description A path of this gateway, for the same key. */
      url: string
      /** @constant */
      contentType: 'video/mp4'
      bytes: number
      sha256: string
      /**
       * Format: date-time
       * @description Afterwards the path answers 410 CONTENT_EXPIRED.
       */
      expiresAt: string
    }
    /**
     * MediaJob
     * @example {
     *       "jobId": "job_01JQ8ZK4T7N2",
     *       "status": "completed",
     *       "operation": "media.video",
     *       "reservedCredits": 10,
     *       "chargeId": "chg_01JQ8ZK4T7N2",
     *       "prompt": "A paper boat on a calm lake",
     *       "provider": "media_provider_a",
     *       "seconds": 2,
     *       "size": "480x270",
     *       "testOnly": true,
     *       "progress": 100,
     *       "createdAt": "2026-09-03T08:00:00.000Z",
     *       "updatedAt": "2026-09-03T08:00:06.000Z",
     *       "finishedAt": "2026-09-03T08:00:06.000Z",
     *       "cancelRequestedAt": null,
     *       "error": null,
     *       "content": {
     *         "url": "/v1/media/jobs/job_01JQ8ZK4T7N2/content",
     *         "contentType": "video/mp4",
     *         "bytes": 18578,
     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
     *         "expiresAt": "2026-09-10T08:00:06.000Z"
     *       },
     *       "resolution": null
     *     }
     */
    MediaJob: {
      jobId: string
      /** @enum {string} */
      status: 'submitting' | 'queued' | 'in_progress' | 'completed' | 'failed' | 'cancelled' | 'unknown'
      /** @constant */
      operation: 'media.video'
      /** @description The price, fixed when the job was created. */
      reservedCredits: number
      chargeId: string
      prompt: string
      provider: string
      /** @enum {integer} */
      seconds: 2 | 4 | 8
      /** @enum {string} */
      size: '480x270' | '854x480'
      /** @description True: a test clip made by this gateway, not by a real provider. */
      testOnly: boolean
      /** @description In percent; null while the provider has reported none. */
      progress: number | null
      /** Format: date-time */
      createdAt: string
      /** Format: date-time */
      updatedAt: string
      finishedAt: string | null
      cancelRequestedAt: string | null
      /** @description Why it failed, was cancelled or is in review. */
      error: components['schemas']['MediaJobError'] | null
      /** @description Null until the job is completed. */
      content: components['schemas']['MediaContent'] | null
      /** @description What an operator decided about a job whose status is unknown. */
      resolution: ('settled' | 'released') | null
    }
    /**
     * MediaJobError
     * @example {
     *       "code": "PROVIDER_JOB_FAILED",
     *       "message": "The provider reported that the job failed."
     *     }
     */
    MediaJobError: {
      /** @description An error code, or the reason of the review. */
      code: string
      message: string
    }
    /**
     * MediaJobFinishedEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "media.job_finished",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "jobId": "job_01JQ8ZK4T7N2",
     *         "chargeId": "chg_0VVm8yT7003cB5uSx1Jd",
     *         "status": "completed",
     *         "errorCode": null
     *       }
     *     }
     */
    MediaJobFinishedEvent: {
      id: string
      /** @constant */
      type: 'media.job_finished'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
        jobId: string
        chargeId: string
        /** @enum {string} */
        status: 'completed' | 'failed' | 'cancelled' | 'unknown'
        errorCode: string | null
      }
    }
    /**
     * MediaJobPage
     * @example {
     *       "items": [
     *         {
     *           "jobId": "job_01JQ8ZK4T7N2",
     *           "status": "completed",
     *           "operation": "media.video",
     *           "reservedCredits": 10,
     *           "chargeId": "chg_01JQ8ZK4T7N2",
     *           "prompt": "A paper boat on a calm lake",
     *           "provider": "media_provider_a",
     *           "seconds": 2,
     *           "size": "480x270",
     *           "testOnly": true,
     *           "progress": 100,
     *           "createdAt": "2026-09-03T08:00:00.000Z",
     *           "updatedAt": "2026-09-03T08:00:06.000Z",
     *           "finishedAt": "2026-09-03T08:00:06.000Z",
     *           "cancelRequestedAt": null,
     *           "error": null,
     *           "content": {
     *             "url": "/v1/media/jobs/job_01JQ8ZK4T7N2/content",
     *             "contentType": "video/mp4",
     *             "bytes": 18578,
     *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
     *             "expiresAt": "2026-09-10T08:00:06.000Z"
     *           },
     *           "resolution": null
     *         }
     *       ],
     *       "nextCursor": null
     *     }
     */
    MediaJobPage: {
      items: components['schemas']['MediaJob'][]
      /** @description Send it as `after` for the next page; null when there is none. */
      nextCursor: string | null
    }
    /**
     * NamedKey
     * @example {
     *       "keyId": "key_3fQ7sJ8wMa2P",
     *       "displayPrefix": "gk_live_Ab3x...9TzK",
     *       "scopes": [
     *         "models:invoke",
     *         "pick:read"
     *       ],
     *       "state": "active",
     *       "expiresAt": null,
     *       "rotatedFromKeyId": null,
     *       "shownOnce": true,
     *       "name": "Production",
     *       "budget": {
     *         "credits": 500,
     *         "per": "day"
     *       },
     *       "allowedAddresses": [
     *         "203.0.113.0/24",
     *         "2001:db8::/32"
     *       ],
     *       "createdAt": "2026-09-03T08:05:00.000Z"
     *     }
     */
    NamedKey: {
      keyId: string
      /** @description Start and end of the key; not usable as a credential. */
      displayPrefix: string
      scopes: ('models:invoke' | 'shopping:search' | 'pick:read' | 'pick:link' | 'agent:run' | 'media:run')[]
      /** @enum {string} */
      state: 'active' | 'revoked' | 'expired'
      expiresAt: string | null
      rotatedFromKeyId: string | null
      /** @constant */
      shownOnce: true
      name: string | null
      budget: components['schemas']['KeyBudget'] | null
      allowedAddresses: string[] | null
      /** Format: date-time */
      createdAt: string
    }
    /**
     * OrderCreditedEvent
     * @example {
     *       "id": "evt_0VVm9aB4002dC6vTy2Kf",
     *       "type": "order.credited",
     *       "at": "2026-10-01T08:30:00.000Z",
     *       "projectId": "prj_6wE1pU3yGo9K",
     *       "data": {
     *         "orderId": "ord_9kD4nV6tHs1B",
     *         "credits": 200,
     *         "available": 200
     *       }
     *     }
     */
    OrderCreditedEvent: {
      id: string
      /** @constant */
      type: 'order.credited'
      /** Format: date-time */
      at: string
      projectId: string
      data: {
        orderId: string
        /** @description Credits of the order. */
        credits: number
        /** @description Available credits after it. */
        available: number
      }
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
     * Overview
     * @example {
     *       "credits": {
     *         "available": 194,
     *         "reserved": 3
     *       },
     *       "bought": 200,
     *       "held": [
     *         {
     *           "state": "reserved",
     *           "charges": 0,
     *           "credits": 0
     *         },
     *         {
     *           "state": "manual_review",
     *           "charges": 1,
     *           "credits": 3
     *         }
     *       ],
     *       "spent": {
     *         "today": 3,
     *         "last7Days": 3,
     *         "last30Days": 3
     *       },
     *       "callsToday": 1,
     *       "runwayDays": 452,
     *       "firstSteps": {
     *         "hasOrder": true,
     *         "hasKey": true,
     *         "hasCall": true
     *       },
     *       "baseUrl": "http://localhost:8787",
     *       "smsInboxUrl": "http://127.0.0.1:8788/inbox",
     *       "paymentMode": "local-simulated"
     *     }
     */
    Overview: {
      credits: components['schemas']['Credits']
      /** @description Credits that were bought or granted, less what the operator withdrew. What is neither available nor reserved of them was spent: bought = available + reserved + settled. */
      bought: number
      /** @description What holds the reserved credits: calls under way, and calls held for review. Always both. */
      held: components['schemas']['HeldCredits'][]
      spent: components['schemas']['SpentCredits']
      /** @description Calls settled today, in Shanghai. */
      callsToday: number
      /** @description Whole days that the available credits last at the average of the last 7 days; null when nothing was spent. */
      runwayDays: number | null
      firstSteps: components['schemas']['FirstSteps']
      /**
       * Format: uri
       * @description Where programs call this service.
       */
      baseUrl: string
      /** @description The local page with the messages that were not really sent; null where there is none. */
      smsInboxUrl: string | null
      /** @enum {string} */
      paymentMode: 'disabled' | 'local-simulated'
    }
    /**
     * PasswordChanged
     * @example {
     *       "state": "password_changed"
     *     }
     */
    PasswordChanged: {
      /** @constant */
      state: 'password_changed'
    }
    /**
     * Receipt
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
     *       "reason": null,
     *       "pricingVersion": "gateway-custom-cny-10credits-v1",
     *       "amountFen": 30,
     *       "chargedCredits": 3,
     *       "settledAt": "2026-09-03T08:10:00.412Z",
     *       "releasedAt": null,
     *       "reviewedAt": null,
     *       "usage": {
     *         "inputUnits": 12,
     *         "outputUnits": 48,
     *         "totalUnits": 60
     *       },
     *       "entries": [
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
     *         }
     *       ],
     *       "decision": null
     *     }
     */
    Receipt: {
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
      pricingVersion: string
      /** @description The price in fen. */
      amountFen: number
      /** @description What was paid: the price once settled, else 0. */
      chargedCredits: number
      settledAt: string | null
      releasedAt: string | null
      reviewedAt: string | null
      /** @description What the call metered, as its answer said; null when it was not settled by a confirmed result. */
      usage: {
        [key: string]: number
      } | null
      /** @description Its entries in the ledger, oldest first. */
      entries: components['schemas']['LedgerEntry'][]
      decision: components['schemas']['ReviewDecision'] | null
    }
    /**
     * RecoveryCodeRequest
     * @example {
     *       "identifier": "13812345678"
     *     }
     */
    RecoveryCodeRequest: {
      /** @description A verified phone, or a verified recovery email. Else `IDENTIFIER_INVALID`. */
      identifier: string
    }
    /**
     * RecoveryEmailRequest
     * @example {
     *       "recoveryEmail": "li@example.com",
     *       "password": "correct horse battery staple"
     *     }
     */
    RecoveryEmailRequest: {
      /**
       * Format: email
       * @description Replaces the recovery email. It can sign in once it is verified. Else `EMAIL_INVALID`.
       */
      recoveryEmail: string
      /** @description Counted in characters. Else `PASSWORD_INVALID`. */
      password: string
    }
    /**
     * RecoveryEmailStanding
     * @example {
     *       "recoveryEmailMasked": "l***@example.com",
     *       "recoveryEmailState": "pending_verification"
     *     }
     */
    RecoveryEmailStanding: {
      recoveryEmailMasked: string
      /** @enum {string} */
      recoveryEmailState: 'pending_verification' | 'verified'
    }
    /**
     * RecoveryRequest
     * @example {
     *       "challengeId": "gvc_8nM3bK6qTz5X",
     *       "verificationCode": "49302718",
     *       "newPassword": "an uncommon long passphrase"
     *     }
     */
    RecoveryRequest: {
      /** @description Else `VERIFICATION_FAILED`. */
      challengeId: string
      /** @description Else `VERIFICATION_FAILED`. */
      verificationCode: string
      /** @description Counted in characters. Else `PASSWORD_INVALID`. */
      newPassword: string
    }
    /**
     * Review
     * @example {
     *       "chargeId": "chg_0VVm8yT7003cB5uSx1Jd",
     *       "operation": "model.chat",
     *       "credits": 3,
     *       "keyId": "key_3fQ7sJ8wMa2P",
     *       "keyDisplayPrefix": "gk_live_Ab3x...9TzK",
     *       "requestId": "req_7wK3fR9yLz1P",
     *       "reservedAt": "2026-09-03T08:12:00.000Z",
     *       "reason": {
     *         "code": "PROVIDER_TIMED_OUT",
     *         "text": "The call was sent, but no response arrived in time."
     *       },
     *       "since": "2026-09-03T08:12:30.000Z"
     *     }
     */
    Review: {
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
      /** @description Credits that stay reserved. */
      credits: number
      keyId: string
      keyDisplayPrefix: string
      /** @description The X-Request-Id of the call. */
      requestId: string
      /** Format: date-time */
      reservedAt: string
      /**
       * Format: date-time
       * @description When it was held for review.
       */
      since: string
      /** @description Why it was released or held for review. */
      reason: components['schemas']['ChargeReason'] | null
    }
    /**
     * ReviewDecision
     * @example {
     *       "decision": "released",
     *       "reason": "The provider has no record of the call.",
     *       "decidedAt": "2026-09-03T09:00:00.000Z"
     *     }
     */
    ReviewDecision: {
      /** @enum {string} */
      decision: 'settled' | 'released'
      reason: string
      /** Format: date-time */
      decidedAt: string
    }
    /**
     * ReviewPage
     * @example {
     *       "items": [
     *         {
     *           "chargeId": "chg_0VVm8yT7003cB5uSx1Jd",
     *           "operation": "model.chat",
     *           "credits": 3,
     *           "keyId": "key_3fQ7sJ8wMa2P",
     *           "keyDisplayPrefix": "gk_live_Ab3x...9TzK",
     *           "requestId": "req_7wK3fR9yLz1P",
     *           "reservedAt": "2026-09-03T08:12:00.000Z",
     *           "reason": {
     *             "code": "PROVIDER_TIMED_OUT",
     *             "text": "The call was sent, but no response arrived in time."
     *           },
     *           "since": "2026-09-03T08:12:30.000Z"
     *         }
     *       ],
     *       "nextCursor": null
     *     }
     */
    ReviewPage: {
      items: components['schemas']['Review'][]
      /** @description Send it as `cursor` for the next page; null when there is none. */
      nextCursor: string | null
    }
    /**
     * RotateKeyRequest
     * @example {
     *       "graceSeconds": 86400
     *     }
     */
    RotateKeyRequest: {
      /** @description Else `INVALID_GRACE`. */
      graceSeconds: number
    }
    /**
     * RotatedWebhookSecret
     * @example {
     *       "webhookId": "whk_0VVm9cD5004eF7wUz3Lg",
     *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
     *       "previousExpiresAt": "2026-09-04T08:20:00.000Z"
     *     }
     */
    RotatedWebhookSecret: {
      webhookId: string
      /** @description Verifies signatures as the Standard Webhooks specification says. Shown once. */
      secret: string
      /**
       * Format: date-time
       * @description Until then, every message has a signature with the previous secret as well.
       */
      previousExpiresAt: string
    }
    /**
     * SignIn
     * @example {
     *       "sessionId": "ses_1dF6gJ0oTb3N",
     *       "createdAt": "2026-09-03T08:00:00.000Z",
     *       "expiresAt": "2026-09-03T20:00:00.000Z",
     *       "isCurrent": true
     *     }
     */
    SignIn: {
      /** @description Names the sign-in; it is no credential. */
      sessionId: string
      /** Format: date-time */
      createdAt: string
      /** Format: date-time */
      expiresAt: string
      /** @description True for the one that asks. */
      isCurrent: boolean
    }
    /**
     * SignInList
     * @example {
     *       "items": [
     *         {
     *           "sessionId": "ses_1dF6gJ0oTb3N",
     *           "createdAt": "2026-09-03T08:00:00.000Z",
     *           "expiresAt": "2026-09-03T20:00:00.000Z",
     *           "isCurrent": true
     *         }
     *       ]
     *     }
     */
    SignInList: {
      items: components['schemas']['SignIn'][]
    }
    /**
     * SignedOutEverywhere
     * @example {
     *       "state": "logged_out",
     *       "endedSessions": 2
     *     }
     */
    SignedOutEverywhere: {
      /** @constant */
      state: 'logged_out'
      endedSessions: number
    }
    /**
     * SpentCredits
     * @description Credits of calls settled on these days in Shanghai; today is included in each.
     * @example {
     *       "today": 3,
     *       "last7Days": 3,
     *       "last30Days": 3
     *     }
     */
    SpentCredits: {
      today: number
      last7Days: number
      last30Days: number
    }
    /**
     * UpdateKeyRequest
     * @example {
     *       "budget": {
     *         "credits": 500,
     *         "per": "day"
     *       }
     *     }
     */
    UpdateKeyRequest: {
      /** @description Else `INVALID_NAME`. */
      name?: string | null
      /** @description Else `INVALID_EXPIRY`. */
      expiresAt?: string | null
      /** @description Else `INVALID_BUDGET`. */
      budget?: components['schemas']['KeyBudget'] | null
      /** @description Else `INVALID_ADDRESSES`. */
      allowedAddresses?: string[] | null
    }
    /**
     * UpdateWebhookRequest
     * @example {
     *       "state": "enabled"
     *     }
     */
    UpdateWebhookRequest: {
      /** @description https, on port 443 or above 1023, without user, password or fragment. Private, loopback and other special addresses are refused. Else `INVALID_URL`. */
      url?: string
      /** @description The types of events that are sent. Else `INVALID_EVENT_TYPES`. */
      types?: (
        | 'order.credited'
        | 'credits.granted'
        | 'credits.withdrawn'
        | 'credits.low'
        | 'credits.empty'
        | 'key.created'
        | 'key.rotated'
        | 'key.revoked'
        | 'key.expiring'
        | 'key.budget_reached'
        | 'charge.review_opened'
        | 'charge.review_decided'
        | 'media.job_finished'
        | 'account.signed_in'
        | 'account.password_changed'
      )[]
      /**
       * @description Waiting events are sent once it is enabled. Else `INVALID_STATE`.
       * @enum {string}
       */
      state?: 'enabled' | 'disabled'
    }
    /**
     * UsageOfDay
     * @example {
     *       "day": "2026-09-03",
     *       "operation": "model.chat",
     *       "calls": 1,
     *       "credits": 3
     *     }
     */
    UsageOfDay: {
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
      /** @description Calls of that day. */
      calls: number
      credits: number
    }
    /**
     * UsedKey
     * @example {
     *       "keyId": "key_3fQ7sJ8wMa2P",
     *       "displayPrefix": "gk_live_Ab3x...9TzK",
     *       "scopes": [
     *         "models:invoke",
     *         "pick:read"
     *       ],
     *       "state": "active",
     *       "createdAt": "2026-09-03T08:05:00.000Z",
     *       "revokedAt": null,
     *       "expiresAt": null,
     *       "rotatedFromKeyId": null,
     *       "name": "Production",
     *       "budget": {
     *         "credits": 500,
     *         "per": "day"
     *       },
     *       "allowedAddresses": [
     *         "203.0.113.0/24",
     *         "2001:db8::/32"
     *       ],
     *       "budgetSpent": 6,
     *       "budgetResetsAt": "2026-09-04T00:00:00.000Z",
     *       "calls": 2,
     *       "lastUsedAt": "2026-09-03T08:12:00.000Z",
     *       "lastUsedFrom": "203.0.113.x"
     *     }
     */
    UsedKey: {
      keyId: string
      /** @description Start and end of the key; not usable as a credential. */
      displayPrefix: string
      scopes: ('models:invoke' | 'shopping:search' | 'pick:read' | 'pick:link' | 'agent:run' | 'media:run')[]
      /** @enum {string} */
      state: 'active' | 'revoked' | 'expired'
      /** Format: date-time */
      createdAt: string
      revokedAt: string | null
      expiresAt: string | null
      rotatedFromKeyId: string | null
      name: string | null
      budget: components['schemas']['KeyBudget'] | null
      allowedAddresses: string[] | null
      /** @description Credits reserved or settled in this period, by all keys of the rotation chain. */
      budgetSpent: number | null
      budgetResetsAt: string | null
      /** @description Billable calls that this key was accepted for. */
      calls: number
      lastUsedAt: string | null
      /** @description The masked address of the last call: 203.0.113.x, or a /64 network. */
      lastUsedFrom: string | null
    }
    /**
     * UsedKeyList
     * @example {
     *       "items": [
     *         {
     *           "keyId": "key_3fQ7sJ8wMa2P",
     *           "displayPrefix": "gk_live_Ab3x...9TzK",
     *           "scopes": [
     *             "models:invoke",
     *             "pick:read"
     *           ],
     *           "state": "active",
     *           "createdAt": "2026-09-03T08:05:00.000Z",
     *           "revokedAt": null,
     *           "expiresAt": null,
     *           "rotatedFromKeyId": null,
     *           "name": "Production",
     *           "budget": {
     *             "credits": 500,
     *             "per": "day"
     *           },
     *           "allowedAddresses": [
     *             "203.0.113.0/24",
     *             "2001:db8::/32"
     *           ],
     *           "budgetSpent": 6,
     *           "budgetResetsAt": "2026-09-04T00:00:00.000Z",
     *           "calls": 2,
     *           "lastUsedAt": "2026-09-03T08:12:00.000Z",
     *           "lastUsedFrom": "203.0.113.x"
     *         }
     *       ],
     *       "maxActive": 50
     *     }
     */
    UsedKeyList: {
      items: components['schemas']['UsedKey'][]
      /** @description The most keys of the project that can be active at a time. */
      maxActive: number
    }
    /**
     * VerifyEmailRequest
     * @example {
     *       "challengeId": "gvc_8nM3bK6qTz5X",
     *       "verificationCode": "493027"
     *     }
     */
    VerifyEmailRequest: {
      /** @description Else `VERIFICATION_FAILED`. */
      challengeId: string
      /** @description Else `VERIFICATION_FAILED`. */
      verificationCode: string
    }
    /**
     * Webhook
     * @example {
     *       "webhookId": "whk_0VVm9cD5004eF7wUz3Lg",
     *       "url": "https://example.com/hooks/gateway",
     *       "types": [
     *         "order.credited",
     *         "credits.low"
     *       ],
     *       "state": "enabled",
     *       "createdAt": "2026-09-03T08:20:00.000Z",
     *       "disabledReason": null,
     *       "disabledAt": null
     *     }
     */
    Webhook: {
      webhookId: string
      url: string
      types: (
        | 'order.credited'
        | 'credits.granted'
        | 'credits.withdrawn'
        | 'credits.low'
        | 'credits.empty'
        | 'key.created'
        | 'key.rotated'
        | 'key.revoked'
        | 'key.expiring'
        | 'key.budget_reached'
        | 'charge.review_opened'
        | 'charge.review_decided'
        | 'media.job_finished'
        | 'account.signed_in'
        | 'account.password_changed'
      )[]
      /** @enum {string} */
      state: 'enabled' | 'disabled'
      disabledReason: ('failing' | 'backlog' | 'owner') | null
      disabledAt: string | null
      /** Format: date-time */
      createdAt: string
    }
    /**
     * WebhookDelivery
     * @example {
     *       "deliveryId": "dlv_0VVm9dE6005fG8xVa4Mh",
     *       "eventId": "evt_0VVm9dE6005fG8xVa4Mh",
     *       "type": "webhook.test",
     *       "status": "waiting",
     *       "attempts": 0,
     *       "answerStatus": null,
     *       "answerMs": null,
     *       "fault": null,
     *       "createdAt": "2026-09-03T08:25:00.000Z",
     *       "lastAttemptAt": null,
     *       "nextAttemptAt": "2026-09-03T08:25:00.000Z"
     *     }
     */
    WebhookDelivery: {
      deliveryId: string
      /** @description The webhook-id, the same in every attempt. */
      eventId: string
      /** @enum {string} */
      type:
        | 'order.credited'
        | 'credits.granted'
        | 'credits.withdrawn'
        | 'credits.low'
        | 'credits.empty'
        | 'key.created'
        | 'key.rotated'
        | 'key.revoked'
        | 'key.expiring'
        | 'key.budget_reached'
        | 'charge.review_opened'
        | 'charge.review_decided'
        | 'media.job_finished'
        | 'account.signed_in'
        | 'account.password_changed'
        | 'webhook.test'
      /** @enum {string} */
      status: 'waiting' | 'delivered' | 'failed'
      attempts: number
      /** @description The HTTP status of the last answer. */
      answerStatus: number | null
      /** @description How long the last answer took. */
      answerMs: number | null
      /** @description Why the last attempt failed. */
      fault:
        | ('status' | 'redirected' | 'timed_out' | 'unreachable' | 'name_not_found' | 'address_refused' | 'tls_failed')
        | null
      /** Format: date-time */
      createdAt: string
      lastAttemptAt: string | null
      nextAttemptAt: string | null
    }
    /**
     * WebhookDeliveryList
     * @example {
     *       "items": [
     *         {
     *           "deliveryId": "dlv_0VVm9dE6005fG8xVa4Mh",
     *           "eventId": "evt_0VVm9dE6005fG8xVa4Mh",
     *           "type": "order.credited",
     *           "status": "delivered",
     *           "attempts": 1,
     *           "answerStatus": 204,
     *           "answerMs": 85,
     *           "fault": null,
     *           "createdAt": "2026-09-03T08:25:00.000Z",
     *           "lastAttemptAt": "2026-09-03T08:25:00.100Z",
     *           "nextAttemptAt": null
     *         }
     *       ]
     *     }
     */
    WebhookDeliveryList: {
      items: components['schemas']['WebhookDelivery'][]
    }
    /**
     * WebhookList
     * @example {
     *       "items": [
     *         {
     *           "webhookId": "whk_0VVm9cD5004eF7wUz3Lg",
     *           "url": "https://example.com/hooks/gateway",
     *           "types": [
     *             "order.credited",
     *             "credits.low"
     *           ],
     *           "state": "enabled",
     *           "createdAt": "2026-09-03T08:20:00.000Z",
     *           "disabledReason": null,
     *           "disabledAt": null
     *         }
     *       ],
     *       "max": 10
     *     }
     */
    WebhookList: {
      items: components['schemas']['Webhook'][]
      /** @description The most webhooks of a project. */
      max: number
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: {
    /** @description Identifies this request in the log. Quote it when you contact the operator. */
    'X-Request-Id': string
    /** @description The gateway_session cookie: HttpOnly, SameSite=Strict. Logging out clears it. */
    'Set-Cookie': string
    /** @description Present when a stored response is returned; nothing was charged again. */
    'Idempotent-Replayed': 'true'
    /** @description Seconds to wait before the next request. Absent if waiting alone does not help. */
    'Retry-After': number
    /** @description Version of this content. Send it back as If-None-Match. */
    ETag: string
    /** @description Ranges are served in bytes. */
    'Accept-Ranges': string
    /** @description Which part of the content this is. */
    'Content-Range': string
    /** @description A file name for the content. */
    'Content-Disposition': string
  }
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  'auth.send_code': {
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
         *       "phone": "13812345678"
         *     }
         */
        'application/json': components['schemas']['SendCodeRequest']
      }
    }
    responses: {
      /** @description The code is on its way. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "challengeId": "gvc_8nM3bK6qTz5X",
           *       "expiresInSeconds": 300,
           *       "resendAfterSeconds": 60
           *     }
           */
          'application/json': components['schemas']['Challenge']
        }
      }
    }
  }
  'auth.register': {
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
         *       "phone": "13812345678",
         *       "verificationCode": "493027",
         *       "challengeId": "gvc_8nM3bK6qTz5X",
         *       "recoveryEmail": "li@example.com",
         *       "password": "correct horse battery staple",
         *       "next": "/console"
         *     }
         */
        'application/json': components['schemas']['RegisterRequest']
      }
    }
    responses: {
      /** @description Registered and signed in. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Set-Cookie': components['headers']['Set-Cookie']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "account": {
           *         "accountId": "acc_7hT2mQ9xLd4R",
           *         "identitySubject": "idp_5bN8vW1kYc3Z",
           *         "phoneMasked": "138****5678",
           *         "recoveryEmailMasked": "l***@example.com",
           *         "recoveryEmailState": "pending_verification"
           *       },
           *       "project": {
           *         "projectId": "prj_6wE1pU3yGo9K"
           *       },
           *       "session": {
           *         "expiresAt": "2026-09-03T20:00:00.000Z"
           *       },
           *       "csrfToken": "q3VtT1c2a0dYb2RyV2hLZQ",
           *       "redirectTo": "/console"
           *     }
           */
          'application/json': components['schemas']['AuthResponse']
        }
      }
    }
  }
  'auth.login': {
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
         *       "identifier": "13812345678",
         *       "password": "correct horse battery staple",
         *       "next": "/console"
         *     }
         */
        'application/json': components['schemas']['LoginRequest']
      }
    }
    responses: {
      /** @description Signed in. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Set-Cookie': components['headers']['Set-Cookie']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "account": {
           *         "accountId": "acc_7hT2mQ9xLd4R",
           *         "identitySubject": "idp_5bN8vW1kYc3Z",
           *         "phoneMasked": "138****5678",
           *         "recoveryEmailMasked": "l***@example.com",
           *         "recoveryEmailState": "pending_verification"
           *       },
           *       "project": {
           *         "projectId": "prj_6wE1pU3yGo9K"
           *       },
           *       "session": {
           *         "expiresAt": "2026-09-03T20:00:00.000Z"
           *       },
           *       "csrfToken": "q3VtT1c2a0dYb2RyV2hLZQ",
           *       "redirectTo": "/console"
           *     }
           */
          'application/json': components['schemas']['AuthResponse']
        }
      }
    }
  }
  'auth.logout': {
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
      /** @description Signed out. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Set-Cookie': components['headers']['Set-Cookie']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "state": "logged_out"
           *     }
           */
          'application/json': components['schemas']['LoggedOut']
        }
      }
    }
  }
  'pricing.get': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The price list. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "currency": "CNY",
           *       "amountUnit": "fen",
           *       "minAmountFen": 100,
           *       "maxAmountFen": 1000000,
           *       "stepAmountFen": 100,
           *       "creditsPerYuan": 10,
           *       "yuanPerCredit": "0.10",
           *       "pricingVersion": "gateway-custom-cny-10credits-v1",
           *       "paymentMode": "local-simulated",
           *       "productionPayment": "NOT_RUN",
           *       "operations": [
           *         {
           *           "operation": "agent.run",
           *           "path": "/v1/agent/run",
           *           "scope": "agent:run",
           *           "credits": 5,
           *           "cnyFen": 50,
           *           "cnyYuan": "0.50"
           *         },
           *         {
           *           "operation": "model.chat",
           *           "path": "/v1/models/chat",
           *           "scope": "models:invoke",
           *           "credits": 3,
           *           "cnyFen": 30,
           *           "cnyYuan": "0.30"
           *         },
           *         {
           *           "operation": "shopping.search",
           *           "path": "/v1/shopping/search",
           *           "scope": "shopping:search",
           *           "credits": 2,
           *           "cnyFen": 20,
           *           "cnyYuan": "0.20"
           *         },
           *         {
           *           "operation": "pick.compare",
           *           "path": "/v1/pick/compare",
           *           "scope": "pick:read",
           *           "credits": 3,
           *           "cnyFen": 30,
           *           "cnyYuan": "0.30"
           *         },
           *         {
           *           "operation": "pick.filter",
           *           "path": "/v1/pick/filter",
           *           "scope": "pick:read",
           *           "credits": 2,
           *           "cnyFen": 20,
           *           "cnyYuan": "0.20"
           *         },
           *         {
           *           "operation": "pick.links",
           *           "path": "/v1/pick/links",
           *           "scope": "pick:link",
           *           "credits": 1,
           *           "cnyFen": 10,
           *           "cnyYuan": "0.10"
           *         },
           *         {
           *           "operation": "pick.prepurchase_review",
           *           "path": "/v1/pick/prepurchase-review",
           *           "scope": "pick:read",
           *           "credits": 1,
           *           "cnyFen": 10,
           *           "cnyYuan": "0.10"
           *         },
           *         {
           *           "operation": "pick.recommend",
           *           "path": "/v1/pick/recommend",
           *           "scope": "pick:read",
           *           "credits": 3,
           *           "cnyFen": 30,
           *           "cnyYuan": "0.30"
           *         },
           *         {
           *           "operation": "pick.search",
           *           "path": "/v1/pick/search",
           *           "scope": "pick:read",
           *           "credits": 2,
           *           "cnyFen": 20,
           *           "cnyYuan": "0.20"
           *         }
           *       ],
           *       "chargePolicy": {
           *         "reserve": "The fixed price is reserved from the available credits before anything is forwarded.",
           *         "settle": "A confirmed result settles the reservation exactly once.",
           *         "release": "A confirmed failure releases the reservation in full.",
           *         "manualReview": "An uncertain outcome stays reserved as manual_review until an operator decides; it is never retried automatically.",
           *         "idempotentReplay": "The same Idempotency-Key with the same request returns the stored result without a second charge.",
           *         "idempotencyConflict": "The same Idempotency-Key with a different request is refused with 409 IDEMPOTENCY_CONFLICT.",
           *         "insufficientCredits": "A call that costs more than the available credits is refused with 402 INSUFFICIENT_PAID_CREDITS and nothing is forwarded."
           *       }
           *     }
           */
          'application/json': components['schemas']['Pricing']
        }
      }
    }
  }
  'plans.get': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The price list. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "deprecated": true,
           *       "canonical": "/v1/pricing",
           *       "pricing": {
           *         "currency": "CNY",
           *         "amountUnit": "fen",
           *         "minAmountFen": 100,
           *         "maxAmountFen": 1000000,
           *         "stepAmountFen": 100,
           *         "creditsPerYuan": 10,
           *         "yuanPerCredit": "0.10",
           *         "pricingVersion": "gateway-custom-cny-10credits-v1",
           *         "paymentMode": "local-simulated",
           *         "productionPayment": "NOT_RUN",
           *         "operations": [
           *           {
           *             "operation": "agent.run",
           *             "path": "/v1/agent/run",
           *             "scope": "agent:run",
           *             "credits": 5,
           *             "cnyFen": 50,
           *             "cnyYuan": "0.50"
           *           },
           *           {
           *             "operation": "model.chat",
           *             "path": "/v1/models/chat",
           *             "scope": "models:invoke",
           *             "credits": 3,
           *             "cnyFen": 30,
           *             "cnyYuan": "0.30"
           *           },
           *           {
           *             "operation": "shopping.search",
           *             "path": "/v1/shopping/search",
           *             "scope": "shopping:search",
           *             "credits": 2,
           *             "cnyFen": 20,
           *             "cnyYuan": "0.20"
           *           },
           *           {
           *             "operation": "pick.compare",
           *             "path": "/v1/pick/compare",
           *             "scope": "pick:read",
           *             "credits": 3,
           *             "cnyFen": 30,
           *             "cnyYuan": "0.30"
           *           },
           *           {
           *             "operation": "pick.filter",
           *             "path": "/v1/pick/filter",
           *             "scope": "pick:read",
           *             "credits": 2,
           *             "cnyFen": 20,
           *             "cnyYuan": "0.20"
           *           },
           *           {
           *             "operation": "pick.links",
           *             "path": "/v1/pick/links",
           *             "scope": "pick:link",
           *             "credits": 1,
           *             "cnyFen": 10,
           *             "cnyYuan": "0.10"
           *           },
           *           {
           *             "operation": "pick.prepurchase_review",
           *             "path": "/v1/pick/prepurchase-review",
           *             "scope": "pick:read",
           *             "credits": 1,
           *             "cnyFen": 10,
           *             "cnyYuan": "0.10"
           *           },
           *           {
           *             "operation": "pick.recommend",
           *             "path": "/v1/pick/recommend",
           *             "scope": "pick:read",
           *             "credits": 3,
           *             "cnyFen": 30,
           *             "cnyYuan": "0.30"
           *           },
           *           {
           *             "operation": "pick.search",
           *             "path": "/v1/pick/search",
           *             "scope": "pick:read",
           *             "credits": 2,
           *             "cnyFen": 20,
           *             "cnyYuan": "0.20"
           *           }
           *         ],
           *         "chargePolicy": {
           *           "reserve": "The fixed price is reserved from the available credits before anything is forwarded.",
           *           "settle": "A confirmed result settles the reservation exactly once.",
           *           "release": "A confirmed failure releases the reservation in full.",
           *           "manualReview": "An uncertain outcome stays reserved as manual_review until an operator decides; it is never retried automatically.",
           *           "idempotentReplay": "The same Idempotency-Key with the same request returns the stored result without a second charge.",
           *           "idempotencyConflict": "The same Idempotency-Key with a different request is refused with 409 IDEMPOTENCY_CONFLICT.",
           *           "insufficientCredits": "A call that costs more than the available credits is refused with 402 INSUFFICIENT_PAID_CREDITS and nothing is forwarded."
           *         }
           *       }
           *     }
           */
          'application/json': components['schemas']['Plans']
        }
      }
    }
  }
  'account.get': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The current account. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "account": {
           *         "accountId": "acc_7hT2mQ9xLd4R",
           *         "identitySubject": "idp_5bN8vW1kYc3Z",
           *         "phoneMasked": "138****5678",
           *         "recoveryEmailMasked": "l***@example.com",
           *         "recoveryEmailState": "pending_verification",
           *         "name": "Personal account"
           *       },
           *       "project": {
           *         "projectId": "prj_6wE1pU3yGo9K",
           *         "name": "Personal project"
           *       },
           *       "credits": {
           *         "available": 197,
           *         "reserved": 3
           *       },
           *       "latestOrder": {
           *         "orderId": "ord_9kD4nV6tHs1B",
           *         "amountFen": 2000,
           *         "creditAmount": 200,
           *         "currency": "CNY",
           *         "creditsPerYuan": 10,
           *         "yuanPerCredit": "0.10",
           *         "pricingVersion": "gateway-custom-cny-10credits-v1",
           *         "state": "credited",
           *         "paymentMode": "local-simulated",
           *         "createdAt": "2026-09-03T08:06:00.000Z",
           *         "simulatedPaidAt": "2026-09-03T08:06:30.000Z",
           *         "creditedAt": "2026-09-03T08:06:30.000Z"
           *       },
           *       "recentOrders": [
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
           *       "apiKeys": [
           *         {
           *           "keyId": "key_3fQ7sJ8wMa2P",
           *           "displayPrefix": "gk_live_Ab3x...9TzK",
           *           "scopes": [
           *             "models:invoke",
           *             "pick:read"
           *           ],
           *           "state": "active",
           *           "createdAt": "2026-09-03T08:05:00.000Z",
           *           "revokedAt": null,
           *           "expiresAt": null,
           *           "rotatedFromKeyId": null
           *         }
           *       ],
           *       "session": {
           *         "expiresAt": "2026-09-03T20:00:00.000Z"
           *       },
           *       "csrfToken": "q3VtT1c2a0dYb2RyV2hLZQ"
           *     }
           */
          'application/json': components['schemas']['Me']
        }
      }
    }
  }
  'keys.list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The keys of the project. */
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
           *           "keyId": "key_3fQ7sJ8wMa2P",
           *           "displayPrefix": "gk_live_Ab3x...9TzK",
           *           "scopes": [
           *             "models:invoke",
           *             "pick:read"
           *           ],
           *           "state": "active",
           *           "createdAt": "2026-09-03T08:05:00.000Z",
           *           "revokedAt": null,
           *           "expiresAt": null,
           *           "rotatedFromKeyId": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['KeyList']
        }
      }
    }
  }
  'keys.create': {
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
         *       "scopes": [
         *         "models:invoke",
         *         "pick:read"
         *       ]
         *     }
         */
        'application/json': components['schemas']['CreateKeyRequest']
      }
    }
    responses: {
      /** @description The new key, in plaintext. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "keyId": "key_3fQ7sJ8wMa2P",
           *       "apiKey": "gk_live_<43 characters, shown once>",
           *       "displayPrefix": "gk_live_Ab3x...9TzK",
           *       "scopes": [
           *         "models:invoke",
           *         "pick:read"
           *       ],
           *       "state": "active",
           *       "expiresAt": null,
           *       "rotatedFromKeyId": null,
           *       "shownOnce": true
           *     }
           */
          'application/json': components['schemas']['CreatedKey']
        }
      }
    }
  }
  'keys.revoke': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered KEY_NOT_FOUND.
         * @example key_3fQ7sJ8wMa2P
         */
        keyId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyRequest']
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
           *       "keyId": "key_3fQ7sJ8wMa2P",
           *       "state": "revoked"
           *     }
           */
          'application/json': components['schemas']['RevokedKey']
        }
      }
    }
  }
  'orders.create': {
    parameters: {
      query?: never
      header: {
        /**
         * @description One new value for each intent; keep it when you repeat the same intent, which is then safe. Use a UUID.
         * @example a-new-uuid-for-each-intent
         */
        'Idempotency-Key': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "amountFen": 2000
         *     }
         */
        'application/json': components['schemas']['CreateOrderRequest']
      }
    }
    responses: {
      /** @description The pending order. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "orderId": "ord_9kD4nV6tHs1B",
           *       "amountFen": 2000,
           *       "creditAmount": 200,
           *       "currency": "CNY",
           *       "creditsPerYuan": 10,
           *       "yuanPerCredit": "0.10",
           *       "pricingVersion": "gateway-custom-cny-10credits-v1",
           *       "state": "pending",
           *       "paymentMode": "local-simulated",
           *       "createdAt": "2026-09-03T08:06:00.000Z",
           *       "simulatedPaidAt": null,
           *       "creditedAt": null,
           *       "idempotentReplay": false
           *     }
           */
          'application/json': components['schemas']['CreatedOrder']
        }
      }
    }
  }
  'orders.confirm': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered ORDER_NOT_FOUND.
         * @example ord_9kD4nV6tHs1B
         */
        orderId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyRequest']
      }
    }
    responses: {
      /** @description The credited order. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
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
           *       "creditedAt": "2026-09-03T08:06:30.000Z",
           *       "creditLotId": "lot_2gX5rC8zJe6F",
           *       "creditedAmount": 200,
           *       "creditKind": "simulated_prepaid",
           *       "idempotentReplay": false
           *     }
           */
          'application/json': components['schemas']['ConfirmedOrder']
        }
      }
    }
  }
  'agent.run': {
    parameters: {
      query?: never
      header: {
        /**
         * @description One new value for each intent; keep it when you repeat the same intent, which is then safe. Use a UUID.
         * @example a-new-uuid-for-each-intent
         */
        'Idempotency-Key': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "tool": "pick.assist",
         *       "arguments": {
         *         "operation": "search",
         *         "payload": {
         *           "query": "保温杯",
         *           "filters": {
         *             "maxPriceCents": 10000
         *           },
         *           "sort": "price_asc",
         *           "limit": 2
         *         }
         *       }
         *     }
         */
        'application/json': components['schemas']['AgentRequest']
      }
    }
    responses: {
      /** @description The confirmed result; the price is settled. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "settled",
           *       "operation": "agent.run",
           *       "chargedCredits": 5,
           *       "data": {
           *         "tool": "pick.assist",
           *         "result": {
           *           "operation": "search",
           *           "result": {
           *             "query": "保温杯",
           *             "items": [
           *               {
           *                 "itemRef": {
           *                   "productId": "b-2044"
           *                 },
           *                 "title": "便携保温杯 350ml",
           *                 "priceCents": 3900,
           *                 "currency": "CNY",
           *                 "availability": "available",
           *                 "highlights": [
           *                   "304 不锈钢",
           *                   "防漏杯盖"
           *                 ],
           *                 "reason": "标题与“保温杯”相符",
           *                 "testOnly": true
           *               },
           *               {
           *                 "itemRef": {
           *                   "provider": "shop",
           *                   "productId": "a-1001"
           *                 },
           *                 "title": "不锈钢保温杯 500ml",
           *                 "priceCents": 4900,
           *                 "currency": "CNY",
           *                 "availability": "available",
           *                 "highlights": [
           *                   "304 不锈钢",
           *                   "防漏杯盖"
           *                 ],
           *                 "reason": "标题与“保温杯”相符",
           *                 "testOnly": true
           *               }
           *             ],
           *             "mode": "local-mock"
           *           }
           *         }
           *       },
           *       "usage": {
           *         "toolCalls": 1
           *       }
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'settled'
            /** @constant */
            operation: 'agent.run'
            /** @constant */
            chargedCredits: 5
            data: components['schemas']['AgentData']
            usage: components['schemas']['AgentUsage']
          }
        }
      }
      /** @description The outcome is uncertain: the credits stay reserved until an operator decides. Never retry automatically. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "manual_review",
           *       "operation": "agent.run",
           *       "reservedCredits": 5,
           *       "chargeId": "chg_01JQ8ZK4T7N2"
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'manual_review'
            /** @constant */
            operation: 'agent.run'
            /** @description Credits that stay reserved until an operator decides. */
            reservedCredits: number
            /** @description Quote it when you contact the operator. */
            chargeId: string
            /**
             * @description Present once an operator settled the charge.
             * @constant
             */
            resolution?: 'settled'
          }
        }
      }
    }
  }
  'model.chat': {
    parameters: {
      query?: never
      header: {
        /**
         * @description One new value for each intent; keep it when you repeat the same intent, which is then safe. Use a UUID.
         * @example a-new-uuid-for-each-intent
         */
        'Idempotency-Key': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "prompt": "用一句话介绍杭州。",
         *       "provider": "model"
         *     }
         */
        'application/json': components['schemas']['ChatRequest']
      }
    }
    responses: {
      /** @description The confirmed result; the price is settled. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "settled",
           *       "operation": "model.chat",
           *       "chargedCredits": 3,
           *       "data": {
           *         "provider": "model",
           *         "model": "local-small",
           *         "output": "杭州是一座以西湖闻名的城市。"
           *       },
           *       "usage": {
           *         "inputUnits": 9,
           *         "outputUnits": 14,
           *         "totalUnits": 23
           *       }
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'settled'
            /** @constant */
            operation: 'model.chat'
            /** @constant */
            chargedCredits: 3
            data: components['schemas']['ChatData']
            usage: components['schemas']['ChatUsage']
          }
        }
      }
      /** @description The outcome is uncertain: the credits stay reserved until an operator decides. Never retry automatically. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "manual_review",
           *       "operation": "model.chat",
           *       "reservedCredits": 3,
           *       "chargeId": "chg_01JQ8ZK4T7N2"
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'manual_review'
            /** @constant */
            operation: 'model.chat'
            /** @description Credits that stay reserved until an operator decides. */
            reservedCredits: number
            /** @description Quote it when you contact the operator. */
            chargeId: string
            /**
             * @description Present once an operator settled the charge.
             * @constant
             */
            resolution?: 'settled'
          }
        }
      }
    }
  }
  'shopping.search': {
    parameters: {
      query?: never
      header: {
        /**
         * @description One new value for each intent; keep it when you repeat the same intent, which is then safe. Use a UUID.
         * @example a-new-uuid-for-each-intent
         */
        'Idempotency-Key': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "query": "保温杯",
         *       "filters": {
         *         "maxPriceCents": 10000
         *       },
         *       "sort": "price_asc",
         *       "limit": 2
         *     }
         */
        'application/json': components['schemas']['SearchRequest']
      }
    }
    responses: {
      /** @description The confirmed result; the price is settled. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "settled",
           *       "operation": "shopping.search",
           *       "chargedCredits": 2,
           *       "data": {
           *         "query": "保温杯",
           *         "items": [
           *           {
           *             "itemRef": {
           *               "productId": "b-2044"
           *             },
           *             "title": "便携保温杯 350ml",
           *             "priceCents": 3900,
           *             "currency": "CNY",
           *             "availability": "available",
           *             "highlights": [
           *               "304 不锈钢",
           *               "防漏杯盖"
           *             ],
           *             "reason": "标题与“保温杯”相符",
           *             "testOnly": true
           *           },
           *           {
           *             "itemRef": {
           *               "provider": "shop",
           *               "productId": "a-1001"
           *             },
           *             "title": "不锈钢保温杯 500ml",
           *             "priceCents": 4900,
           *             "currency": "CNY",
           *             "availability": "available",
           *             "highlights": [
           *               "304 不锈钢",
           *               "防漏杯盖"
           *             ],
           *             "reason": "标题与“保温杯”相符",
           *             "testOnly": true
           *           }
           *         ],
           *         "mode": "local-mock"
           *       },
           *       "usage": {
           *         "providerCalls": 3,
           *         "resultCount": 2
           *       }
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'settled'
            /** @constant */
            operation: 'shopping.search'
            /** @constant */
            chargedCredits: 2
            data: components['schemas']['SearchData']
            usage: components['schemas']['SearchUsage']
          }
        }
      }
      /** @description The outcome is uncertain: the credits stay reserved until an operator decides. Never retry automatically. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "manual_review",
           *       "operation": "shopping.search",
           *       "reservedCredits": 2,
           *       "chargeId": "chg_01JQ8ZK4T7N2"
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'manual_review'
            /** @constant */
            operation: 'shopping.search'
            /** @description Credits that stay reserved until an operator decides. */
            reservedCredits: number
            /** @description Quote it when you contact the operator. */
            chargeId: string
            /**
             * @description Present once an operator settled the charge.
             * @constant
             */
            resolution?: 'settled'
          }
        }
      }
    }
  }
  'pick.compare': {
    parameters: {
      query?: never
      header: {
        /**
         * @description One new value for each intent; keep it when you repeat the same intent, which is then safe. Use a UUID.
         * @example a-new-uuid-for-each-intent
         */
        'Idempotency-Key': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "itemRefs": [
         *         {
         *           "provider": "shop",
         *           "productId": "a-1001"
         *         },
         *         {
         *           "productId": "b-2044"
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['CompareRequest']
      }
    }
    responses: {
      /** @description The confirmed result; the price is settled. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "settled",
           *       "operation": "pick.compare",
           *       "chargedCredits": 3,
           *       "data": {
           *         "items": [
           *           {
           *             "itemRef": {
           *               "provider": "shop",
           *               "productId": "a-1001"
           *             },
           *             "title": "不锈钢保温杯 500ml",
           *             "priceCents": 4900,
           *             "currency": "CNY",
           *             "availability": "available",
           *             "highlights": [
           *               "304 不锈钢",
           *               "防漏杯盖"
           *             ],
           *             "reason": "标题与“保温杯”相符",
           *             "testOnly": true
           *           },
           *           {
           *             "itemRef": {
           *               "productId": "b-2044"
           *             },
           *             "title": "便携保温杯 350ml",
           *             "priceCents": 3900,
           *             "currency": "CNY",
           *             "availability": "available",
           *             "highlights": [
           *               "304 不锈钢",
           *               "防漏杯盖"
           *             ],
           *             "reason": "标题与“保温杯”相符",
           *             "testOnly": true
           *           }
           *         ],
           *         "dimensions": [
           *           "priceCents",
           *           "availability",
           *           "highlights"
           *         ],
           *         "mode": "local-mock"
           *       },
           *       "usage": {}
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'settled'
            /** @constant */
            operation: 'pick.compare'
            /** @constant */
            chargedCredits: 3
            data: components['schemas']['CompareData']
            usage: components['schemas']['NoUsage']
          }
        }
      }
      /** @description The outcome is uncertain: the credits stay reserved until an operator decides. Never retry automatically. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "manual_review",
           *       "operation": "pick.compare",
           *       "reservedCredits": 3,
           *       "chargeId": "chg_01JQ8ZK4T7N2"
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'manual_review'
            /** @constant */
            operation: 'pick.compare'
            /** @description Credits that stay reserved until an operator decides. */
            reservedCredits: number
            /** @description Quote it when you contact the operator. */
            chargeId: string
            /**
             * @description Present once an operator settled the charge.
             * @constant
             */
            resolution?: 'settled'
          }
        }
      }
    }
  }
  'pick.filter': {
    parameters: {
      query?: never
      header: {
        /**
         * @description One new value for each intent; keep it when you repeat the same intent, which is then safe. Use a UUID.
         * @example a-new-uuid-for-each-intent
         */
        'Idempotency-Key': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "itemRefs": [
         *         {
         *           "provider": "shop",
         *           "productId": "a-1001"
         *         },
         *         {
         *           "productId": "b-2044"
         *         }
         *       ],
         *       "criteria": {
         *         "maxPriceCents": 4000
         *       }
         *     }
         */
        'application/json': components['schemas']['FilterRequest']
      }
    }
    responses: {
      /** @description The confirmed result; the price is settled. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "settled",
           *       "operation": "pick.filter",
           *       "chargedCredits": 2,
           *       "data": {
           *         "items": [
           *           {
           *             "itemRef": {
           *               "productId": "b-2044"
           *             },
           *             "title": "便携保温杯 350ml",
           *             "priceCents": 3900,
           *             "currency": "CNY",
           *             "availability": "available",
           *             "highlights": [
           *               "304 不锈钢",
           *               "防漏杯盖"
           *             ],
           *             "reason": "标题与“保温杯”相符",
           *             "testOnly": true
           *           }
           *         ],
           *         "criteria": {
           *           "maxPriceCents": 4000
           *         },
           *         "mode": "local-mock"
           *       },
           *       "usage": {}
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'settled'
            /** @constant */
            operation: 'pick.filter'
            /** @constant */
            chargedCredits: 2
            data: components['schemas']['FilterData']
            usage: components['schemas']['NoUsage']
          }
        }
      }
      /** @description The outcome is uncertain: the credits stay reserved until an operator decides. Never retry automatically. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "manual_review",
           *       "operation": "pick.filter",
           *       "reservedCredits": 2,
           *       "chargeId": "chg_01JQ8ZK4T7N2"
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'manual_review'
            /** @constant */
            operation: 'pick.filter'
            /** @description Credits that stay reserved until an operator decides. */
            reservedCredits: number
            /** @description Quote it when you contact the operator. */
            chargeId: string
            /**
             * @description Present once an operator settled the charge.
             * @constant
             */
            resolution?: 'settled'
          }
        }
      }
    }
  }
  'pick.links': {
    parameters: {
      query?: never
      header: {
        /**
         * @description One new value for each intent; keep it when you repeat the same intent, which is then safe. Use a UUID.
         * @example a-new-uuid-for-each-intent
         */
        'Idempotency-Key': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "itemRefs": [
         *         {
         *           "provider": "shop",
         *           "productId": "a-1001"
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['LinksRequest']
      }
    }
    responses: {
      /** @description The confirmed result; the price is settled. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "settled",
           *       "operation": "pick.links",
           *       "chargedCredits": 1,
           *       "data": {
           *         "items": [
           *           {
           *             "itemRef": {
           *               "provider": "shop",
           *               "productId": "a-1001"
           *             },
           *             "productUrl": "https://item.shop-a.example/a-1001"
           *           }
           *         ],
           *         "disclosure": "链接可能包含推广信息。",
           *         "mode": "local-mock"
           *       },
           *       "usage": {}
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'settled'
            /** @constant */
            operation: 'pick.links'
            /** @constant */
            chargedCredits: 1
            data: components['schemas']['LinksData']
            usage: components['schemas']['NoUsage']
          }
        }
      }
      /** @description The outcome is uncertain: the credits stay reserved until an operator decides. Never retry automatically. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "manual_review",
           *       "operation": "pick.links",
           *       "reservedCredits": 1,
           *       "chargeId": "chg_01JQ8ZK4T7N2"
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'manual_review'
            /** @constant */
            operation: 'pick.links'
            /** @description Credits that stay reserved until an operator decides. */
            reservedCredits: number
            /** @description Quote it when you contact the operator. */
            chargeId: string
            /**
             * @description Present once an operator settled the charge.
             * @constant
             */
            resolution?: 'settled'
          }
        }
      }
    }
  }
  'pick.prepurchase_review': {
    parameters: {
      query?: never
      header: {
        /**
         * @description One new value for each intent; keep it when you repeat the same intent, which is then safe. Use a UUID.
         * @example a-new-uuid-for-each-intent
         */
        'Idempotency-Key': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "itemRef": {
         *         "provider": "shop",
         *         "productId": "a-1001"
         *       },
         *       "requirements": [
         *         "24 小时保温"
         *       ]
         *     }
         */
        'application/json': components['schemas']['PrepurchaseReviewRequest']
      }
    }
    responses: {
      /** @description The confirmed result; the price is settled. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "settled",
           *       "operation": "pick.prepurchase_review",
           *       "chargedCredits": 1,
           *       "data": {
           *         "itemRef": {
           *           "provider": "shop",
           *           "productId": "a-1001"
           *         },
           *         "summary": "价格和库存来自最近一次搜索，其余需要在购买前核实。",
           *         "checks": [
           *           {
           *             "code": "price",
           *             "status": "known",
           *             "message": "4900"
           *           },
           *           {
           *             "code": "requirement_1",
           *             "status": "unknown",
           *             "message": "无法从搜索结果确认：24 小时保温"
           *           }
           *         ],
           *         "limitations": [
           *           "价格和库存可能在搜索之后变化。"
           *         ],
           *         "mode": "local-mock"
           *       },
           *       "usage": {}
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'settled'
            /** @constant */
            operation: 'pick.prepurchase_review'
            /** @constant */
            chargedCredits: 1
            data: components['schemas']['PrepurchaseReviewData']
            usage: components['schemas']['NoUsage']
          }
        }
      }
      /** @description The outcome is uncertain: the credits stay reserved until an operator decides. Never retry automatically. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "manual_review",
           *       "operation": "pick.prepurchase_review",
           *       "reservedCredits": 1,
           *       "chargeId": "chg_01JQ8ZK4T7N2"
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'manual_review'
            /** @constant */
            operation: 'pick.prepurchase_review'
            /** @description Credits that stay reserved until an operator decides. */
            reservedCredits: number
            /** @description Quote it when you contact the operator. */
            chargeId: string
            /**
             * @description Present once an operator settled the charge.
             * @constant
             */
            resolution?: 'settled'
          }
        }
      }
    }
  }
  'pick.recommend': {
    parameters: {
      query?: never
      header: {
        /**
         * @description One new value for each intent; keep it when you repeat the same intent, which is then safe. Use a UUID.
         * @example a-new-uuid-for-each-intent
         */
        'Idempotency-Key': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "itemRefs": [
         *         {
         *           "provider": "shop",
         *           "productId": "a-1001"
         *         },
         *         {
         *           "productId": "b-2044"
         *         }
         *       ],
         *       "preferences": {
         *         "priority": "price"
         *       }
         *     }
         */
        'application/json': components['schemas']['RecommendRequest']
      }
    }
    responses: {
      /** @description The confirmed result; the price is settled. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "settled",
           *       "operation": "pick.recommend",
           *       "chargedCredits": 3,
           *       "data": {
           *         "items": [
           *           {
           *             "itemRef": {
           *               "productId": "b-2044"
           *             },
           *             "title": "便携保温杯 350ml",
           *             "priceCents": 3900,
           *             "currency": "CNY",
           *             "availability": "available",
           *             "highlights": [
           *               "304 不锈钢",
           *               "防漏杯盖"
           *             ],
           *             "reason": "标题与“保温杯”相符",
           *             "testOnly": true
           *           },
           *           {
           *             "itemRef": {
           *               "provider": "shop",
           *               "productId": "a-1001"
           *             },
           *             "title": "不锈钢保温杯 500ml",
           *             "priceCents": 4900,
           *             "currency": "CNY",
           *             "availability": "available",
           *             "highlights": [
           *               "304 不锈钢",
           *               "防漏杯盖"
           *             ],
           *             "reason": "标题与“保温杯”相符",
           *             "testOnly": true
           *           }
           *         ],
           *         "preferences": {
           *           "priority": "price"
           *         },
           *         "method": "deterministic-local-rule",
           *         "mode": "local-mock"
           *       },
           *       "usage": {}
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'settled'
            /** @constant */
            operation: 'pick.recommend'
            /** @constant */
            chargedCredits: 3
            data: components['schemas']['RecommendData']
            usage: components['schemas']['NoUsage']
          }
        }
      }
      /** @description The outcome is uncertain: the credits stay reserved until an operator decides. Never retry automatically. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "manual_review",
           *       "operation": "pick.recommend",
           *       "reservedCredits": 3,
           *       "chargeId": "chg_01JQ8ZK4T7N2"
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'manual_review'
            /** @constant */
            operation: 'pick.recommend'
            /** @description Credits that stay reserved until an operator decides. */
            reservedCredits: number
            /** @description Quote it when you contact the operator. */
            chargeId: string
            /**
             * @description Present once an operator settled the charge.
             * @constant
             */
            resolution?: 'settled'
          }
        }
      }
    }
  }
  'pick.search': {
    parameters: {
      query?: never
      header: {
        /**
         * @description One new value for each intent; keep it when you repeat the same intent, which is then safe. Use a UUID.
         * @example a-new-uuid-for-each-intent
         */
        'Idempotency-Key': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "query": "保温杯",
         *       "filters": {
         *         "maxPriceCents": 10000
         *       },
         *       "sort": "price_asc",
         *       "limit": 2
         *     }
         */
        'application/json': components['schemas']['SearchRequest']
      }
    }
    responses: {
      /** @description The confirmed result; the price is settled. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "settled",
           *       "operation": "pick.search",
           *       "chargedCredits": 2,
           *       "data": {
           *         "query": "保温杯",
           *         "items": [
           *           {
           *             "itemRef": {
           *               "productId": "b-2044"
           *             },
           *             "title": "便携保温杯 350ml",
           *             "priceCents": 3900,
           *             "currency": "CNY",
           *             "availability": "available",
           *             "highlights": [
           *               "304 不锈钢",
           *               "防漏杯盖"
           *             ],
           *             "reason": "标题与“保温杯”相符",
           *             "testOnly": true
           *           },
           *           {
           *             "itemRef": {
           *               "provider": "shop",
           *               "productId": "a-1001"
           *             },
           *             "title": "不锈钢保温杯 500ml",
           *             "priceCents": 4900,
           *             "currency": "CNY",
           *             "availability": "available",
           *             "highlights": [
           *               "304 不锈钢",
           *               "防漏杯盖"
           *             ],
           *             "reason": "标题与“保温杯”相符",
           *             "testOnly": true
           *           }
           *         ],
           *         "mode": "local-mock"
           *       },
           *       "usage": {
           *         "providerCalls": 3,
           *         "resultCount": 2
           *       }
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'settled'
            /** @constant */
            operation: 'pick.search'
            /** @constant */
            chargedCredits: 2
            data: components['schemas']['SearchData']
            usage: components['schemas']['SearchUsage']
          }
        }
      }
      /** @description The outcome is uncertain: the credits stay reserved until an operator decides. Never retry automatically. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "manual_review",
           *       "operation": "pick.search",
           *       "reservedCredits": 2,
           *       "chargeId": "chg_01JQ8ZK4T7N2"
           *     }
           */
          'application/json': {
            /** @constant */
            status: 'manual_review'
            /** @constant */
            operation: 'pick.search'
            /** @description Credits that stay reserved until an operator decides. */
            reservedCredits: number
            /** @description Quote it when you contact the operator. */
            chargeId: string
            /**
             * @description Present once an operator settled the charge.
             * @constant
             */
            resolution?: 'settled'
          }
        }
      }
    }
  }
  'console.overview': {
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
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "credits": {
           *         "available": 194,
           *         "reserved": 3
           *       },
           *       "bought": 200,
           *       "held": [
           *         {
           *           "state": "reserved",
           *           "charges": 0,
           *           "credits": 0
           *         },
           *         {
           *           "state": "manual_review",
           *           "charges": 1,
           *           "credits": 3
           *         }
           *       ],
           *       "spent": {
           *         "today": 3,
           *         "last7Days": 3,
           *         "last30Days": 3
           *       },
           *       "callsToday": 1,
           *       "runwayDays": 452,
           *       "firstSteps": {
           *         "hasOrder": true,
           *         "hasKey": true,
           *         "hasCall": true
           *       },
           *       "baseUrl": "http://localhost:8787",
           *       "smsInboxUrl": "http://127.0.0.1:8788/inbox",
           *       "paymentMode": "local-simulated"
           *     }
           */
          'application/json': components['schemas']['Overview']
        }
      }
    }
  }
  'console.usage.list': {
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
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of charges. */
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
  'console.usage.daily': {
    parameters: {
      query?: {
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
        /** @description How many days up to the last one, where `from` does not say it. */
        days?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Calls and credits by day. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "from": "2026-08-05",
           *       "to": "2026-09-03",
           *       "countedFrom": "2026-08-05",
           *       "items": [
           *         {
           *           "day": "2026-09-03",
           *           "operation": "model.chat",
           *           "calls": 1,
           *           "credits": 3
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['DailyUsage']
        }
      }
    }
  }
  'console.usage.receipt': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered NOT_FOUND.
         * @example chg_0VVm8xQ2001aK4tRw9Zb
         */
        chargeId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The receipt. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
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
           *       "reason": null,
           *       "pricingVersion": "gateway-custom-cny-10credits-v1",
           *       "amountFen": 30,
           *       "chargedCredits": 3,
           *       "settledAt": "2026-09-03T08:10:00.412Z",
           *       "releasedAt": null,
           *       "reviewedAt": null,
           *       "usage": {
           *         "inputUnits": 12,
           *         "outputUnits": 48,
           *         "totalUnits": 60
           *       },
           *       "entries": [
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
           *         }
           *       ],
           *       "decision": null
           *     }
           */
          'application/json': components['schemas']['Receipt']
        }
      }
    }
  }
  'console.reviews.list': {
    parameters: {
      query?: {
        /** @description The nextCursor of the page before; without it the list begins with the newest. */
        cursor?: string
        /** @description The most rows of a page. */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of reviews. */
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
           *           "chargeId": "chg_0VVm8yT7003cB5uSx1Jd",
           *           "operation": "model.chat",
           *           "credits": 3,
           *           "keyId": "key_3fQ7sJ8wMa2P",
           *           "keyDisplayPrefix": "gk_live_Ab3x...9TzK",
           *           "requestId": "req_7wK3fR9yLz1P",
           *           "reservedAt": "2026-09-03T08:12:00.000Z",
           *           "reason": {
           *             "code": "PROVIDER_TIMED_OUT",
           *             "text": "The call was sent, but no response arrived in time."
           *           },
           *           "since": "2026-09-03T08:12:30.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['ReviewPage']
        }
      }
    }
  }
  'console.ledger.list': {
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
  'console.usage.csv': {
    parameters: {
      query?: {
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
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The charges that pass the filters. Columns: chargeId, operation, credits, state, keyId, keyDisplayPrefix, requestId, reservedAt (Asia/Shanghai), endedAt (Asia/Shanghai), reasonCode, reasonText. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /** @example chargeId,operation,credits,state,keyId,keyDisplayPrefix,requestId,reservedAt (Asia/Shanghai),endedAt (Asia/Shanghai),reasonCode,reasonText */
          'text/csv': string
        }
      }
    }
  }
  'console.ledger.csv': {
    parameters: {
      query?: {
        kind?: 'credit' | 'reserve' | 'settle' | 'release' | 'review' | 'grant' | 'withdraw'
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
      /** @description The entries that pass the filters. Columns: seq, kind, amount, available, reserved, chargeId, operation, creditLotId, orderId, enteredAt (Asia/Shanghai), reference. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /** @example seq,kind,amount,available,reserved,chargeId,operation,creditLotId,orderId,enteredAt (Asia/Shanghai),reference */
          'text/csv': string
        }
      }
    }
  }
  'console.models.list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The catalog. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "defaultModelProvider": "model_provider_a",
           *       "modelProviders": [
           *         {
           *           "provider": "model_provider_a",
           *           "enabled": true,
           *           "adapter": "local",
           *           "models": [
           *             "local-small",
           *             "local-large"
           *           ],
           *           "defaultModel": "local-small",
           *           "maxPromptChars": 8000
           *         },
           *         {
           *           "provider": "model_provider_b",
           *           "enabled": false,
           *           "adapter": null,
           *           "models": [],
           *           "defaultModel": null,
           *           "maxPromptChars": null
           *         }
           *       ],
           *       "mediaCreditsPerSecond": 5,
           *       "defaultMediaProvider": "media_provider_a",
           *       "mediaProviders": [
           *         {
           *           "provider": "media_provider_a",
           *           "enabled": true,
           *           "adapter": "local"
           *         }
           *       ],
           *       "shoppingMode": "local-mock",
           *       "shops": [
           *         {
           *           "provider": "shop_provider_a",
           *           "enabled": true,
           *           "adapter": "local"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['Catalog']
        }
      }
    }
  }
  'console.orders.list': {
    parameters: {
      query?: {
        /** @description The nextCursor of the page before; without it the list begins with the newest. */
        cursor?: string
        /** @description The most rows of a page. */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of orders. */
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
  'console.orders.read': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered ORDER_NOT_FOUND.
         * @example ord_9kD4nV6tHs1B
         */
        orderId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The order. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
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
          'application/json': components['schemas']['Order']
        }
      }
    }
  }
  'console.keys.list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The keys of the project. */
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
           *           "keyId": "key_3fQ7sJ8wMa2P",
           *           "displayPrefix": "gk_live_Ab3x...9TzK",
           *           "scopes": [
           *             "models:invoke",
           *             "pick:read"
           *           ],
           *           "state": "active",
           *           "createdAt": "2026-09-03T08:05:00.000Z",
           *           "revokedAt": null,
           *           "expiresAt": null,
           *           "rotatedFromKeyId": null,
           *           "name": "Production",
           *           "budget": {
           *             "credits": 500,
           *             "per": "day"
           *           },
           *           "allowedAddresses": [
           *             "203.0.113.0/24",
           *             "2001:db8::/32"
           *           ],
           *           "budgetSpent": 6,
           *           "budgetResetsAt": "2026-09-04T00:00:00.000Z",
           *           "calls": 2,
           *           "lastUsedAt": "2026-09-03T08:12:00.000Z",
           *           "lastUsedFrom": "203.0.113.x"
           *         }
           *       ],
           *       "maxActive": 50
           *     }
           */
          'application/json': components['schemas']['UsedKeyList']
        }
      }
    }
  }
  'console.keys.create': {
    parameters: {
      query?: never
      header: {
        /**
         * @description One new value for each intent; keep it when you repeat the same intent, which is then safe. Use a UUID.
         * @example a-new-uuid-for-each-intent
         */
        'Idempotency-Key': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Production",
         *       "scopes": [
         *         "models:invoke",
         *         "pick:read"
         *       ],
         *       "budget": {
         *         "credits": 500,
         *         "per": "day"
         *       },
         *       "allowedAddresses": [
         *         "203.0.113.0/24",
         *         "2001:db8::/32"
         *       ]
         *     }
         */
        'application/json': components['schemas']['CreateNamedKeyRequest']
      }
    }
    responses: {
      /** @description The same Idempotency-Key was sent before: its key, without the plaintext. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "keyId": "key_3fQ7sJ8wMa2P",
           *       "displayPrefix": "gk_live_Ab3x...9TzK",
           *       "scopes": [
           *         "models:invoke",
           *         "pick:read"
           *       ],
           *       "state": "active",
           *       "expiresAt": null,
           *       "rotatedFromKeyId": null,
           *       "shownOnce": true,
           *       "name": "Production",
           *       "budget": {
           *         "credits": 500,
           *         "per": "day"
           *       },
           *       "allowedAddresses": [
           *         "203.0.113.0/24",
           *         "2001:db8::/32"
           *       ],
           *       "createdAt": "2026-09-03T08:05:00.000Z"
           *     }
           */
          'application/json': components['schemas']['NamedKey']
        }
      }
      /** @description The new key, in plaintext. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "keyId": "key_3fQ7sJ8wMa2P",
           *       "apiKey": "gk_live_<43 characters, shown once>",
           *       "displayPrefix": "gk_live_Ab3x...9TzK",
           *       "scopes": [
           *         "models:invoke",
           *         "pick:read"
           *       ],
           *       "state": "active",
           *       "expiresAt": null,
           *       "rotatedFromKeyId": null,
           *       "shownOnce": true,
           *       "name": "Production",
           *       "budget": {
           *         "credits": 500,
           *         "per": "day"
           *       },
           *       "allowedAddresses": [
           *         "203.0.113.0/24",
           *         "2001:db8::/32"
           *       ],
           *       "createdAt": "2026-09-03T08:05:00.000Z"
           *     }
           */
          'application/json': components['schemas']['CreatedNamedKey']
        }
      }
    }
  }
  'console.keys.update': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered KEY_NOT_FOUND.
         * @example key_3fQ7sJ8wMa2P
         */
        keyId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "budget": {
         *         "credits": 500,
         *         "per": "day"
         *       }
         *     }
         */
        'application/json': components['schemas']['UpdateKeyRequest']
      }
    }
    responses: {
      /** @description The key as it is now. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "keyId": "key_3fQ7sJ8wMa2P",
           *       "displayPrefix": "gk_live_Ab3x...9TzK",
           *       "scopes": [
           *         "models:invoke",
           *         "pick:read"
           *       ],
           *       "state": "active",
           *       "createdAt": "2026-09-03T08:05:00.000Z",
           *       "revokedAt": null,
           *       "expiresAt": null,
           *       "rotatedFromKeyId": null,
           *       "name": "Production",
           *       "budget": {
           *         "credits": 500,
           *         "per": "day"
           *       },
           *       "allowedAddresses": [
           *         "203.0.113.0/24",
           *         "2001:db8::/32"
           *       ],
           *       "budgetSpent": 6,
           *       "budgetResetsAt": "2026-09-04T00:00:00.000Z",
           *       "calls": 2,
           *       "lastUsedAt": "2026-09-03T08:12:00.000Z",
           *       "lastUsedFrom": "203.0.113.x"
           *     }
           */
          'application/json': components['schemas']['UsedKey']
        }
      }
    }
  }
  'console.keys.rotate': {
    parameters: {
      query?: never
      header: {
        /**
         * @description One new value for each intent; keep it when you repeat the same intent, which is then safe. Use a UUID.
         * @example a-new-uuid-for-each-intent
         */
        'Idempotency-Key': string
      }
      path: {
        /**
         * @description Anything else is answered KEY_NOT_FOUND.
         * @example key_3fQ7sJ8wMa2P
         */
        keyId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "graceSeconds": 86400
         *     }
         */
        'application/json': components['schemas']['RotateKeyRequest']
      }
    }
    responses: {
      /** @description The same Idempotency-Key was sent before: its key, without the plaintext. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "keyId": "key_0VVm9aB4002dC6vTy2Kf",
           *       "displayPrefix": "gk_live_Ab3x...9TzK",
           *       "scopes": [
           *         "models:invoke",
           *         "pick:read"
           *       ],
           *       "state": "active",
           *       "expiresAt": null,
           *       "rotatedFromKeyId": "key_3fQ7sJ8wMa2P",
           *       "shownOnce": true,
           *       "name": "Production",
           *       "budget": {
           *         "credits": 500,
           *         "per": "day"
           *       },
           *       "allowedAddresses": [
           *         "203.0.113.0/24",
           *         "2001:db8::/32"
           *       ],
           *       "createdAt": "2026-09-03T08:05:00.000Z"
           *     }
           */
          'application/json': components['schemas']['NamedKey']
        }
      }
      /** @description The new key, in plaintext. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "keyId": "key_0VVm9aB4002dC6vTy2Kf",
           *       "apiKey": "gk_live_<43 characters, shown once>",
           *       "displayPrefix": "gk_live_Ab3x...9TzK",
           *       "scopes": [
           *         "models:invoke",
           *         "pick:read"
           *       ],
           *       "state": "active",
           *       "expiresAt": null,
           *       "rotatedFromKeyId": "key_3fQ7sJ8wMa2P",
           *       "shownOnce": true,
           *       "name": "Production",
           *       "budget": {
           *         "credits": 500,
           *         "per": "day"
           *       },
           *       "allowedAddresses": [
           *         "203.0.113.0/24",
           *         "2001:db8::/32"
           *       ],
           *       "createdAt": "2026-09-03T08:05:00.000Z"
           *     }
           */
          'application/json': components['schemas']['CreatedNamedKey']
        }
      }
    }
  }
  'console.media.list': {
    parameters: {
      query?: {
        /** @description The nextCursor of the page before; without it the list begins with the newest. */
        after?: string
        /** @description The most jobs of a page. */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of jobs. */
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
           *           "jobId": "job_01JQ8ZK4T7N2",
           *           "status": "completed",
           *           "operation": "media.video",
           *           "reservedCredits": 10,
           *           "chargeId": "chg_01JQ8ZK4T7N2",
           *           "prompt": "A paper boat on a calm lake",
           *           "provider": "media_provider_a",
           *           "seconds": 2,
           *           "size": "480x270",
           *           "testOnly": true,
           *           "progress": 100,
           *           "createdAt": "2026-09-03T08:00:00.000Z",
           *           "updatedAt": "2026-09-03T08:00:06.000Z",
           *           "finishedAt": "2026-09-03T08:00:06.000Z",
           *           "cancelRequestedAt": null,
           *           "error": null,
           *           "content": {
           *             "url": "/v1/media/jobs/job_01JQ8ZK4T7N2/content",
           *             "contentType": "video/mp4",
           *             "bytes": 18578,
           *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *             "expiresAt": "2026-09-10T08:00:06.000Z"
           *           },
           *           "resolution": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['MediaJobPage']
        }
      }
    }
  }
  'console.media.content': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered JOB_NOT_FOUND.
         * @example job_01JQ8ZK4T7N2
         */
        jobId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The clip. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          ETag: components['headers']['ETag']
          'Accept-Ranges': components['headers']['Accept-Ranges']
          'Content-Disposition': components['headers']['Content-Disposition']
          [name: string]: unknown
        }
        content: {
          /** @example  */
          'video/mp4': string
        }
      }
      /** @description The part of the clip that was asked for. */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          ETag: components['headers']['ETag']
          'Accept-Ranges': components['headers']['Accept-Ranges']
          'Content-Range': components['headers']['Content-Range']
          'Content-Disposition': components['headers']['Content-Disposition']
          [name: string]: unknown
        }
        content: {
          /** @example  */
          'video/mp4': string
        }
      }
    }
  }
  'console.media.cancel': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered JOB_NOT_FOUND.
         * @example job_01JQ8ZK4T7N2
         */
        jobId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyRequest']
      }
    }
    responses: {
      /** @description The job had ended already. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "jobId": "job_01JQ8ZK4T7N2",
           *       "status": "completed",
           *       "operation": "media.video",
           *       "reservedCredits": 10,
           *       "chargeId": "chg_01JQ8ZK4T7N2",
           *       "prompt": "A paper boat on a calm lake",
           *       "provider": "media_provider_a",
           *       "seconds": 2,
           *       "size": "480x270",
           *       "testOnly": true,
           *       "progress": 100,
           *       "createdAt": "2026-09-03T08:00:00.000Z",
           *       "updatedAt": "2026-09-03T08:00:06.000Z",
           *       "finishedAt": "2026-09-03T08:00:06.000Z",
           *       "cancelRequestedAt": null,
           *       "error": null,
           *       "content": {
           *         "url": "/v1/media/jobs/job_01JQ8ZK4T7N2/content",
           *         "contentType": "video/mp4",
           *         "bytes": 18578,
           *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *         "expiresAt": "2026-09-10T08:00:06.000Z"
           *       },
           *       "resolution": null
           *     }
           */
          'application/json': components['schemas']['MediaJob']
        }
      }
      /** @description The provider accepted the cancellation. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "jobId": "job_01JQ8ZK4T7N2",
           *       "status": "queued",
           *       "operation": "media.video",
           *       "reservedCredits": 10,
           *       "chargeId": "chg_01JQ8ZK4T7N2",
           *       "prompt": "A paper boat on a calm lake",
           *       "provider": "media_provider_a",
           *       "seconds": 2,
           *       "size": "480x270",
           *       "testOnly": true,
           *       "progress": 0,
           *       "createdAt": "2026-09-03T08:00:00.000Z",
           *       "updatedAt": "2026-09-03T08:00:00.000Z",
           *       "finishedAt": null,
           *       "cancelRequestedAt": null,
           *       "error": null,
           *       "content": null,
           *       "resolution": null
           *     }
           */
          'application/json': components['schemas']['MediaJob']
        }
      }
    }
  }
  'console.events.list': {
    parameters: {
      query?: {
        /** @description The nextCursor of the page before; without it the list begins with the newest. */
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
      /** @description A page of events. */
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
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "order.credited",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "orderId": "ord_9kD4nV6tHs1B",
           *             "credits": 200,
           *             "available": 200
           *           }
           *         },
           *         {
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "credits.granted",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "credits": 500,
           *             "available": 700
           *           }
           *         },
           *         {
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "credits.withdrawn",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "credits": 100,
           *             "available": 600
           *           }
           *         },
           *         {
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "credits.low",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "available": 95,
           *             "lowBalanceCredits": 100
           *           }
           *         },
           *         {
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "credits.empty",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "available": 2,
           *             "credits": 3
           *           }
           *         },
           *         {
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "key.created",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "keyId": "key_3fQ7sJ8wMa2P",
           *             "displayPrefix": "gk_live_Ab3x...9TzK"
           *           }
           *         },
           *         {
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "key.rotated",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "keyId": "key_3fQ7sJ8wMa2P",
           *             "displayPrefix": "gk_live_Ab3x...9TzK",
           *             "rotatedFromKeyId": "key_0VVm9aB4002dC6vTy2Kf",
           *             "oldKeyExpiresAt": "2026-10-02T08:30:00.000Z"
           *           }
           *         },
           *         {
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "key.revoked",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "keyId": "key_3fQ7sJ8wMa2P",
           *             "displayPrefix": "gk_live_Ab3x...9TzK",
           *             "by": "owner"
           *           }
           *         },
           *         {
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "key.expiring",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "keyId": "key_3fQ7sJ8wMa2P",
           *             "displayPrefix": "gk_live_Ab3x...9TzK",
           *             "expiresAt": "2026-10-08T08:30:00.000Z",
           *             "daysLeft": 7
           *           }
           *         },
           *         {
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "key.budget_reached",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "keyId": "key_3fQ7sJ8wMa2P",
           *             "credits": 300,
           *             "per": "day",
           *             "resetsAt": "2026-10-02T00:00:00.000Z"
           *           }
           *         },
           *         {
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "charge.review_opened",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
           *             "operation": "model.chat",
           *             "credits": 3
           *           }
           *         },
           *         {
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "charge.review_decided",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "chargeId": "chg_0VVm8xQ2001aK4tRw9Zb",
           *             "operation": "model.chat",
           *             "credits": 3,
           *             "decision": "released"
           *           }
           *         },
           *         {
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "media.job_finished",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "jobId": "job_01JQ8ZK4T7N2",
           *             "chargeId": "chg_0VVm8yT7003cB5uSx1Jd",
           *             "status": "completed",
           *             "errorCode": null
           *           }
           *         },
           *         {
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "account.signed_in",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "isNewNetwork": true
           *           }
           *         },
           *         {
           *           "id": "evt_0VVm9aB4002dC6vTy2Kf",
           *           "type": "account.password_changed",
           *           "at": "2026-10-01T08:30:00.000Z",
           *           "projectId": "prj_6wE1pU3yGo9K",
           *           "data": {
           *             "by": "recovery"
           *           }
           *         }
           *       ],
           *       "nextCursor": null,
           *       "unread": 1
           *     }
           */
          'application/json': components['schemas']['EventPage']
        }
      }
    }
  }
  'console.events.read': {
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
      /** @description No event is unread. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "unread": 0
           *     }
           */
          'application/json': components['schemas']['EventsRead']
        }
      }
    }
  }
  'console.alerts.read': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The settings in force. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "lowBalanceCredits": 100,
           *       "email": [
           *         "credits.low",
           *         "credits.empty",
           *         "key.created",
           *         "key.rotated",
           *         "key.revoked",
           *         "charge.review_opened",
           *         "charge.review_decided",
           *         "account.password_changed"
           *       ],
           *       "sms": [
           *         "credits.empty"
           *       ]
           *     }
           */
          'application/json': components['schemas']['AlertSettings']
        }
      }
    }
  }
  'console.alerts.save': {
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
         *       "lowBalanceCredits": 100,
         *       "email": [
         *         "credits.low",
         *         "credits.empty",
         *         "key.created",
         *         "key.rotated",
         *         "key.revoked",
         *         "charge.review_opened",
         *         "charge.review_decided",
         *         "account.password_changed"
         *       ],
         *       "sms": [
         *         "credits.empty"
         *       ]
         *     }
         */
        'application/json': components['schemas']['AlertSettingsRequest']
      }
    }
    responses: {
      /** @description The settings in force. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "lowBalanceCredits": 100,
           *       "email": [
           *         "credits.low",
           *         "credits.empty",
           *         "key.created",
           *         "key.rotated",
           *         "key.revoked",
           *         "charge.review_opened",
           *         "charge.review_decided",
           *         "account.password_changed"
           *       ],
           *       "sms": [
           *         "credits.empty"
           *       ]
           *     }
           */
          'application/json': components['schemas']['AlertSettings']
        }
      }
    }
  }
  'console.webhooks.list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The webhooks of the project. */
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
           *           "webhookId": "whk_0VVm9cD5004eF7wUz3Lg",
           *           "url": "https://example.com/hooks/gateway",
           *           "types": [
           *             "order.credited",
           *             "credits.low"
           *           ],
           *           "state": "enabled",
           *           "createdAt": "2026-09-03T08:20:00.000Z",
           *           "disabledReason": null,
           *           "disabledAt": null
           *         }
           *       ],
           *       "max": 10
           *     }
           */
          'application/json': components['schemas']['WebhookList']
        }
      }
    }
  }
  'console.webhooks.create': {
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
         *       "url": "https://example.com/hooks/gateway",
         *       "types": [
         *         "order.credited",
         *         "credits.low"
         *       ]
         *     }
         */
        'application/json': components['schemas']['CreateWebhookRequest']
      }
    }
    responses: {
      /** @description The new webhook, with its secret. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "webhookId": "whk_0VVm9cD5004eF7wUz3Lg",
           *       "url": "https://example.com/hooks/gateway",
           *       "types": [
           *         "order.credited",
           *         "credits.low"
           *       ],
           *       "state": "enabled",
           *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
           *       "createdAt": "2026-09-03T08:20:00.000Z"
           *     }
           */
          'application/json': components['schemas']['CreatedWebhook']
        }
      }
    }
  }
  'console.webhooks.update': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered WEBHOOK_NOT_FOUND.
         * @example whk_0VVm9cD5004eF7wUz3Lg
         */
        webhookId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "state": "enabled"
         *     }
         */
        'application/json': components['schemas']['UpdateWebhookRequest']
      }
    }
    responses: {
      /** @description The webhook as it is now. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "webhookId": "whk_0VVm9cD5004eF7wUz3Lg",
           *       "url": "https://example.com/hooks/gateway",
           *       "types": [
           *         "order.credited",
           *         "credits.low"
           *       ],
           *       "state": "enabled",
           *       "createdAt": "2026-09-03T08:20:00.000Z",
           *       "disabledReason": null,
           *       "disabledAt": null
           *     }
           */
          'application/json': components['schemas']['Webhook']
        }
      }
    }
  }
  'console.webhooks.delete': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered WEBHOOK_NOT_FOUND.
         * @example whk_0VVm9cD5004eF7wUz3Lg
         */
        webhookId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyRequest']
      }
    }
    responses: {
      /** @description The webhook is gone. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "webhookId": "whk_0VVm9cD5004eF7wUz3Lg",
           *       "state": "deleted"
           *     }
           */
          'application/json': components['schemas']['DeletedWebhook']
        }
      }
    }
  }
  'console.webhooks.rotate_secret': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered WEBHOOK_NOT_FOUND.
         * @example whk_0VVm9cD5004eF7wUz3Lg
         */
        webhookId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyRequest']
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
           *       "webhookId": "whk_0VVm9cD5004eF7wUz3Lg",
           *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
           *       "previousExpiresAt": "2026-09-04T08:20:00.000Z"
           *     }
           */
          'application/json': components['schemas']['RotatedWebhookSecret']
        }
      }
    }
  }
  'console.webhooks.test': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered WEBHOOK_NOT_FOUND.
         * @example whk_0VVm9cD5004eF7wUz3Lg
         */
        webhookId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyRequest']
      }
    }
    responses: {
      /** @description The event is about to be sent. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "deliveryId": "dlv_0VVm9dE6005fG8xVa4Mh",
           *       "eventId": "evt_0VVm9dE6005fG8xVa4Mh",
           *       "type": "webhook.test",
           *       "status": "waiting",
           *       "attempts": 0,
           *       "answerStatus": null,
           *       "answerMs": null,
           *       "fault": null,
           *       "createdAt": "2026-09-03T08:25:00.000Z",
           *       "lastAttemptAt": null,
           *       "nextAttemptAt": "2026-09-03T08:25:00.000Z"
           *     }
           */
          'application/json': components['schemas']['WebhookDelivery']
        }
      }
    }
  }
  'console.webhooks.deliveries': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered WEBHOOK_NOT_FOUND.
         * @example whk_0VVm9cD5004eF7wUz3Lg
         */
        webhookId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The last deliveries. */
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
           *           "deliveryId": "dlv_0VVm9dE6005fG8xVa4Mh",
           *           "eventId": "evt_0VVm9dE6005fG8xVa4Mh",
           *           "type": "order.credited",
           *           "status": "delivered",
           *           "attempts": 1,
           *           "answerStatus": 204,
           *           "answerMs": 85,
           *           "fault": null,
           *           "createdAt": "2026-09-03T08:25:00.000Z",
           *           "lastAttemptAt": "2026-09-03T08:25:00.100Z",
           *           "nextAttemptAt": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['WebhookDeliveryList']
        }
      }
    }
  }
  'console.webhooks.redeliver': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered WEBHOOK_NOT_FOUND.
         * @example whk_0VVm9cD5004eF7wUz3Lg
         */
        webhookId: string
        /**
         * @description Anything else is answered DELIVERY_NOT_FOUND.
         * @example dlv_0VVm9dE6005fG8xVa4Mh
         */
        deliveryId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyRequest']
      }
    }
    responses: {
      /** @description The event is about to be sent. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "deliveryId": "dlv_0VVm9dE6005fG8xVa4Mh",
           *       "eventId": "evt_0VVm9dE6005fG8xVa4Mh",
           *       "type": "order.credited",
           *       "status": "waiting",
           *       "attempts": 0,
           *       "answerStatus": null,
           *       "answerMs": null,
           *       "fault": null,
           *       "createdAt": "2026-09-03T08:25:00.000Z",
           *       "lastAttemptAt": null,
           *       "nextAttemptAt": "2026-09-03T08:25:00.000Z"
           *     }
           */
          'application/json': components['schemas']['WebhookDelivery']
        }
      }
    }
  }
  'console.sessions.list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The sign-ins of the account. */
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
           *           "sessionId": "ses_1dF6gJ0oTb3N",
           *           "createdAt": "2026-09-03T08:00:00.000Z",
           *           "expiresAt": "2026-09-03T20:00:00.000Z",
           *           "isCurrent": true
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['SignInList']
        }
      }
    }
  }
  'console.sessions.end_all': {
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
      /** @description All sign-ins are ended. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Set-Cookie': components['headers']['Set-Cookie']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "state": "logged_out",
           *       "endedSessions": 2
           *     }
           */
          'application/json': components['schemas']['SignedOutEverywhere']
        }
      }
    }
  }
  'console.sessions.end': {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description Anything else is answered NOT_FOUND.
         * @example ses_1dF6gJ0oTb3N
         */
        sessionId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyRequest']
      }
    }
    responses: {
      /** @description The sign-in is ended. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Set-Cookie': components['headers']['Set-Cookie']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "sessionId": "ses_1dF6gJ0oTb3N",
           *       "state": "logged_out"
           *     }
           */
          'application/json': components['schemas']['EndedSession']
        }
      }
    }
  }
  'console.recovery_email.replace': {
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
         *       "recoveryEmail": "li@example.com",
         *       "password": "correct horse battery staple"
         *     }
         */
        'application/json': components['schemas']['RecoveryEmailRequest']
      }
    }
    responses: {
      /** @description The address is replaced. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "recoveryEmailMasked": "l***@example.com",
           *       "recoveryEmailState": "pending_verification"
           *     }
           */
          'application/json': components['schemas']['RecoveryEmailStanding']
        }
      }
    }
  }
  'console.recovery_email.send_code': {
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
      /** @description The code is on its way. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "challengeId": "gvc_8nM3bK6qTz5X",
           *       "expiresInSeconds": 1800,
           *       "resendAfterSeconds": 60
           *     }
           */
          'application/json': components['schemas']['EmailChallenge']
        }
      }
    }
  }
  'console.recovery_email.verify': {
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
         *       "challengeId": "gvc_8nM3bK6qTz5X",
         *       "verificationCode": "493027"
         *     }
         */
        'application/json': components['schemas']['VerifyEmailRequest']
      }
    }
    responses: {
      /** @description The address is verified. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "recoveryEmailState": "verified"
           *     }
           */
          'application/json': components['schemas']['EmailVerified']
        }
      }
    }
  }
  'console.password.change': {
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
         *       "currentPassword": "correct horse battery staple",
         *       "newPassword": "an uncommon long passphrase"
         *     }
         */
        'application/json': components['schemas']['ChangePasswordRequest']
      }
    }
    responses: {
      /** @description The password is replaced. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "state": "password_changed"
           *     }
           */
          'application/json': components['schemas']['PasswordChanged']
        }
      }
    }
  }
  'auth.recovery.send_code': {
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
         *       "identifier": "13812345678"
         *     }
         */
        'application/json': components['schemas']['RecoveryCodeRequest']
      }
    }
    responses: {
      /** @description A code is on its way if there is such an account. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "challengeId": "gvc_8nM3bK6qTz5X",
           *       "expiresInSeconds": 300,
           *       "resendAfterSeconds": 60
           *     }
           */
          'application/json': components['schemas']['Challenge']
        }
      }
    }
  }
  'auth.recovery.confirm': {
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
         *       "challengeId": "gvc_8nM3bK6qTz5X",
         *       "verificationCode": "49302718",
         *       "newPassword": "an uncommon long passphrase"
         *     }
         */
        'application/json': components['schemas']['RecoveryRequest']
      }
    }
    responses: {
      /** @description The password is replaced. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "state": "password_changed"
           *     }
           */
          'application/json': components['schemas']['PasswordChanged']
        }
      }
    }
  }
}
