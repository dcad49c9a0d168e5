'use strict'

const Schema = require('./schema')

const validatorDefaults = {
  coerceTypes: 'array',
  removeAdditional: true,
  allErrors: false
}

module.exports = function buildValidator (options) {
  return new Schema({ ...validatorDefaults, ...options })
}
