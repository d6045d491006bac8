import { defineFeature } from '../../../ops/feature.ts'
import type { Accounts } from '../../identity/accounts/feature.ts'
import { orderListOperations } from './contract.ts'
import { createOrders } from './orders.ts'
import { orderListRoutes, orderRoutes } from './routes.ts'
import { createOrderStore } from './store.ts'

export const ordersFeature = defineFeature({
  name: 'orders',
  consoleOperations: orderListOperations,
  build({ config, engine, ledger, clock, operation }, { accounts: { guards } }: { accounts: Accounts }) {
    const store = createOrderStore(engine)
    const orders = createOrders({ store, ledger, clock, paymentMode: config.paymentMode })
    return {
      store,
      orders,
      routes: [...orderRoutes({ operation, guards, orders }), ...orderListRoutes({ operation, guards, orders })],
    }
  },
})

export type OrdersParts = ReturnType<typeof ordersFeature.build>
