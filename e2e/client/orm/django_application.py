"""Django with psycopg 3: migrates its own applications and one with models, uses the models, and inspects the database. The argument is an
address; the token is in PGPASSWORD. Prints what it saw."""

import io
import json
import os
import pathlib
import sys
import tempfile
from urllib.parse import urlsplit

import django
from django.conf import settings

MODELS = """
import uuid
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

class Author(models.Model):
    uid = models.UUIDField(default=uuid.uuid4, unique=True)
    name = models.CharField(max_length=200, db_index=True)
    tags = ArrayField(models.TextField(), default=list)
    made = models.DateTimeField(db_default=Now())

class Book(models.Model):
    author = models.ForeignKey(Author, on_delete=models.CASCADE, related_name='books')
    title = models.TextField()
    about = models.JSONField(default=dict)
    class Meta:
        constraints = [models.UniqueConstraint(fields=['author', 'title'], name='once'),
                       models.CheckConstraint(condition=models.Q(title__gt=''), name='titled')]
"""

address = urlsplit(sys.argv[1])
folder = pathlib.Path(tempfile.mkdtemp())
(folder / 'library').mkdir()
(folder / 'library' / '__init__.py').touch()
(folder / 'library' / 'models.py').write_text(MODELS)
sys.path.insert(0, str(folder))
settings.configure(
    SECRET_KEY='of a test', USE_TZ=True, DEFAULT_AUTO_FIELD='django.db.models.BigAutoField',
    INSTALLED_APPS=['django.contrib.auth', 'django.contrib.contenttypes', 'django.contrib.sessions',
                    'django.contrib.postgres', 'library'],
    DATABASES={'default': {
        'ENGINE': 'django.db.backends.postgresql', 'NAME': address.path[1:], 'USER': address.username,
        'PASSWORD': os.environ['PGPASSWORD'], 'HOST': address.hostname, 'PORT': address.port}})
django.setup()

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

seen = {}
call_command('makemigrations', 'library', verbosity=0)
call_command('migrate', verbosity=0)
call_command('migrate', verbosity=0)
call_command('makemigrations', check_changes=True, verbosity=0)
call_command('check', database=['default'])

from library.models import Author, Book

User.objects.create_superuser('ann', 'ann@example.com', 'a long password')
seen['users'] = User.objects.filter(is_superuser=True, user_permissions__isnull=True).count()
ann = Author.objects.create(name='Ann', tags=['a', 'b'])
Book.objects.bulk_create([Book(author=ann, title=f'book {number}', about={'pages': number}) for number in range(300)])
try:
    with transaction.atomic():
        with transaction.atomic():
            Book.objects.create(author=ann, title='kept')
        try:
            with transaction.atomic():
                Book.objects.create(author=ann, title='kept')
        except IntegrityError:
            seen['twice'] = 'refused'
        Author.objects.select_for_update().get(pk=ann.pk)
except IntegrityError:
    seen['twice'] = 'ended the transaction'
seen['iterated'] = sum(1 for _ in Book.objects.iterator(chunk_size=50))
seen['json'] = Book.objects.filter(about__pages__lt=3).count()
seen['array'] = Author.objects.filter(tags__contains=['b']).count()
seen['tables'] = [name for name in sorted(connection.introspection.table_names()) if name.startswith('library')]
with connection.cursor() as cursor:
    constraints = connection.introspection.get_constraints(cursor, 'library_book')
    relations = connection.introspection.get_relations(cursor, 'library_book')
seen['constraints'] = sorted(name for name in constraints if name in ('once', 'titled'))
seen['relations'] = {column: list(of) for column, of in relations.items()}
inspected = io.StringIO()
call_command('inspectdb', 'library_author', 'library_book', stdout=inspected)
seen['inspected'] = [line.strip() for line in inspected.getvalue().splitlines() if line.startswith('class')]
call_command('flush', interactive=False, verbosity=0)
seen['flushed'] = Book.objects.count()
call_command('migrate', 'library', 'zero', verbosity=0)
seen['left'] = [name for name in connection.introspection.table_names() if name.startswith('library')]
print(json.dumps(seen))
