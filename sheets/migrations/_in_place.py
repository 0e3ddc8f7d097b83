"""Changes of a table that SQLite makes where the rows are; Django would have it write all of them anew."""

from django.db import migrations


class AddColumn(migrations.AddField):
    """A field that is not unique; what rows have that are there stands in SQLite's schema as the column's default."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        """Add the column by itself."""
        if schema_editor.connection.vendor != "sqlite":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        # Else all that any row says is judged once more.
        schema_editor.execute("PRAGMA ignore_check_constraints = ON")
        try:
            self._add(app_label, schema_editor, from_state, to_state)
        finally:
            schema_editor.execute("PRAGMA ignore_check_constraints = OFF")

    def _add(self, app_label, schema_editor, from_state, to_state):
        model = to_state.apps.get_model(app_label, self.model_name)
        field = model._meta.get_field(self.name)
        if schema_editor.effective_default(field) is None:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        definition, params = schema_editor.column_sql(model, field, include_default=True)
        if check := field.db_parameters(schema_editor.connection)["check"]:
            definition += f" {schema_editor.sql_check_constraint % {'check': check}}"
        schema_editor.execute(schema_editor.sql_create_column % {
            "table": schema_editor.quote_name(model._meta.db_table), "column": schema_editor.quote_name(field.column),
            "definition": definition}, params or None)


class DropIndex(migrations.AlterField):
    """A field of which nothing is otherwise but that it has no index of its own any more."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        """Drop the index by itself."""
        if schema_editor.connection.vendor != "sqlite":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = from_state.apps.get_model(app_label, self.model_name)
        column, others = model._meta.get_field(self.name).column, {one.name for one in model._meta.indexes}
        for name in schema_editor._constraint_names(model, [column], index=True, unique=False, exclude=others):
            schema_editor.execute(schema_editor._delete_index_sql(model, name))
