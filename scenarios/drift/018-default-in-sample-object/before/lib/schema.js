'use strict'

module.exports = class Schema {
  constructor (options) {
    this.options = options
  }
}
