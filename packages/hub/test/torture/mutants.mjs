// Loaded with `node --import` into a hub under torture: builds the fault that QUAYSIDE_MUTANT names into its modules.
import { register } from 'node:module'

register('./mutant-hooks.mjs', import.meta.url)
